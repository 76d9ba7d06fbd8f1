#include "core/logs/gpu_samples.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace commcost {
namespace {

Outcome<GpuSampleLog> read_samples(const std::string& text) {
  GpuSampleReader reader;
  reader.read(text);
  return std::move(reader).finished();
}

const std::string with_units =
    "timestamp, index, name, clocks.current.sm [MHz], clocks.max.sm [MHz], power.draw [W], "
    "enforced.power.limit "
    "[W], temperature.gpu, utilization.gpu [%], clocks_event_reasons.active\n"
    "2026/03/01 10:05:00.100, 0, NVIDIA H100 80GB HBM3, 1200 MHz, 1980 MHz, 448.10 W, 450.00 W, 61, 100 %, "
    "0x0000000000000004\n"
    "2026/03/01 10:05:01.100, 0, NVIDIA H100 80GB HBM3, 1215 MHz, 1980 MHz, 449.10 W, 450.00 W, 63, 100 %, "
    "0x0000000000000024\n"
    "2026/03/01 10:05:01.101, 1, NVIDIA H100 80GB HBM3, 345 MHz, 1980 MHz, 70.00 W, 450.00 W, 30, 0 %, "
    "0x0000000000000001\n";

TEST(GpuSamples, AreReadWithAndWithoutUnits) {
  const Outcome<GpuSampleLog> found = read_samples(with_units);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->gpus.size(), 1u);
  EXPECT_EQ(found->idle_samples, 1);
  const SampledGpu& gpu = found->gpus[0];
  EXPECT_EQ(gpu.samples, 2);
  EXPECT_EQ(gpu.sm_clock_mhz, 1207.5);
  EXPECT_EQ(gpu.max_sm_clock_mhz, 1980);
  EXPECT_NEAR(gpu.power_w, 448.6, 1e-9);
  EXPECT_EQ(gpu.power_limit_w, 450);
  EXPECT_EQ(gpu.temperature_c, 63);
  EXPECT_EQ(gpu.power_share, 1);
  EXPECT_EQ(gpu.thermal_share, 0.5);
  const Outcome<GpuSampleLog> plain = read_samples("index, clocks.sm\n0, 1410\n3, 1395\n");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->gpus[1].gpu, 3);
  EXPECT_EQ(plain->gpus[1].sm_clock_mhz, 1395);
}

// The bits as NVML documents them (nvmlClocksEventReasons), one by one.
TEST(GpuSamples, EachReasonHoldsClocksDownAsNvmlSays) {
  const auto with = [](const std::string& bits) {
    const Outcome<GpuSampleLog> found =
        read_samples("index, clocks.sm, clocks_event_reasons.active\n0, 1410, " + bits);
    const SampledGpu& gpu = found->gpus.at(0);
    return std::array{gpu.thermal_share, gpu.power_share, gpu.fixed_share};
  };
  constexpr std::array heat_or_supply{1.0, 0.0, 0.0};
  constexpr std::array limit{0.0, 1.0, 0.0};
  constexpr std::array set{0.0, 0.0, 1.0};
  for (const char* bits : {"0x8", "0x20", "0x40", "0x80"}) EXPECT_EQ(with(bits), heat_or_supply) << bits;
  EXPECT_EQ(with("0x4"), limit);
  for (const char* bits : {"0x2", "0x100"}) EXPECT_EQ(with(bits), set) << bits;
  for (const char* bits : {"0x0", "0x10"}) EXPECT_EQ(with(bits), (std::array{0.0, 0.0, 0.0})) << bits;
  // In digits of either case, after either x, and as a decimal number.
  for (const char* bits : {"0x9a", "0x9A", "0X9A", "154"})
    EXPECT_EQ(with(bits), (std::array{1.0, 0.0, 1.0})) << bits;
  for (const char* bits : {"0x12c", "0xfe", "0xFE", "0xae"})
    EXPECT_EQ(with(bits), (std::array{1.0, 1.0, 1.0})) << bits;
  // What is no digit makes the number none.
  for (const char* bits : {"0x", "0xg4", "0xG4", "0x:4", "0x`4", "0x@4", "0x/4"})
    EXPECT_EQ(with(bits), (std::array{0.0, 0.0, 0.0})) << bits;
}

// Its share of the time without any kernel, in percent.
TEST(GpuSamples, OfAGpuThatDoesNothingAreNotCounted) {
  const Outcome<GpuSampleLog> found =
      read_samples("index, clocks.sm, utilization.gpu [%]\n0, 1410, 0 %\n0, 1410, 1 %\n0, 1410, [N/A]\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->idle_samples, 1);
  EXPECT_EQ(found->gpus.at(0).samples, 2);
}

TEST(GpuSamples, OfDmon) {
  const Outcome<GpuSampleLog> found = read_samples(
      "# gpu   pwr gtemp mtemp    sm   mem   enc   dec  mclk  pclk\n"
      "# Idx     W     C     C     %     %     %     %   MHz   MHz\n"
      "    0   391    52    49    99    40     0     0  2619  1410\n"
      "    1   388    51    50    98    41     0     0  2619  1395\n");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->gpus.size(), 2u);
  EXPECT_EQ(found->gpus[1].sm_clock_mhz, 1395);
  EXPECT_EQ(found->gpus[0].power_w, 391);
}

TEST(GpuSamples, WhereverAPieceEndsTheyAreTheSame) {
  for (const std::size_t size : {1U, 7U, 64U}) {
    GpuSampleReader reader;
    for (std::size_t at = 0; at < with_units.size(); at += size) reader.read(with_units.substr(at, size));
    const Outcome<GpuSampleLog> found = std::move(reader).finished();
    ASSERT_TRUE(found);
    EXPECT_EQ(found->gpus[0].sm_clock_mhz, 1207.5);
  }
}

TEST(GpuSamples, BadRowsAreNamedAndAFileWithoutATableIsRefused) {
  const Outcome<GpuSampleLog> found = read_samples("index, clocks.sm\n0, 1410\n0\n1, [N/A]\n");
  ASSERT_TRUE(found);
  ASSERT_EQ(found->problems.size(), 2u);
  EXPECT_EQ(found->problems[0].line, 3);
  EXPECT_FALSE(read_samples(""));
  EXPECT_FALSE(read_samples("hello\n1, 2\n"));
}

}  // namespace
}  // namespace commcost
