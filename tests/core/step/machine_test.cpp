#include "core/step/machine.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "core/step/constants.h"

namespace commcost {
namespace {

Machine machine_with(std::string_view id) {
  Machine machine;
  machine.accelerator = static_cast<int>(find_accelerator(id) - all_accelerators().data());
  return machine;
}

TEST(Machine, KeepsTheNetworkThatIsGiven) {
  Machine machine = machine_with("h100-sxm");
  machine.nic_gb_per_sec = 12.5;
  EXPECT_EQ(completed(machine).nic_gb_per_sec, 12.5);
  // Of any kind, where its rate is left to what is sold with the accelerator.
  for (const Accelerator& accelerator : all_accelerators()) {
    for (std::size_t kind = 0; kind < std::size(network_kind_names); ++kind) {
      Machine typed = machine_with(accelerator.id);
      typed.network = static_cast<int>(kind);
      EXPECT_EQ(completed(typed).network, typed.network) << accelerator.id;
    }
  }
}

TEST(Machine, HasTheLargestNetworkSoldWithItOtherwise) {
  EXPECT_EQ(completed(machine_with("h100-sxm")).nic_gb_per_sec, 50);
}

TEST(Machine, HasSomeNetworkEvenWhereNoSystemIsKnown) {
  for (const Accelerator& accelerator : all_accelerators())
    EXPECT_GT(completed(machine_with(accelerator.id)).nic_gb_per_sec, 0) << accelerator.id;
}

struct PeakCase {
  const char* name;
  const char* accelerator;
  std::int64_t bytes_per_element;
  double tflops;
};
void PrintTo(const PeakCase& one, std::ostream* out) {
  *out << one.name;
}

class MatrixPeak : public testing::TestWithParam<PeakCase> {};

TEST_P(MatrixPeak, DependsOnTheElement) {
  const PeakCase& one = GetParam();
  EXPECT_DOUBLE_EQ(matrix_peak_tflops(*find_accelerator(one.accelerator), one.bytes_per_element), one.tflops);
}

INSTANTIATE_TEST_SUITE_P(Machine, MatrixPeak,
                         testing::Values(PeakCase{"16_bits", "a100-sxm-80gb", 2, 312},
                                         PeakCase{"8_bits", "h100-sxm", 1, 1979},
                                         PeakCase{"8_bits_without_a_unit_for_them", "a100-sxm-80gb", 1, 312},
                                         PeakCase{"32_bits_as_tf32", "a100-sxm-80gb", 4, 156},
                                         PeakCase{"32_bits_without_tf32", "v100-sxm", 4, 15.7},
                                         PeakCase{"32_bits_in_six_passes", "tpu-v5p", 4, 76.5}));

TEST(Machine, NeverMultipliesQuickerThanItsPeak) {
  for (const Accelerator& accelerator : all_accelerators()) {
    EXPECT_GT(matmul_share(accelerator), 0) << accelerator.id;
    EXPECT_LE(matmul_share(accelerator), 1) << accelerator.id;
  }
}

// ml-engineering's greatest rates: 271.2 of 312, 794.5 of 989, 1745 of 2250 TFLOP/s.
TEST(Machine, ReachesTheShareThatWasMeasured) {
  EXPECT_NEAR(matmul_share(*find_accelerator("a100-sxm-80gb")), 0.869, 5e-4);
  EXPECT_NEAR(matmul_share(*find_accelerator("h100-sxm")), 0.803, 5e-4);
  EXPECT_NEAR(matmul_share(*find_accelerator("b200")), 0.776, 5e-4);
}

TEST(Machine, IsTakenForItsLikeWhereNobodyMeasured) {
  EXPECT_NEAR(matmul_share(*find_accelerator("h800-sxm")), matmul_share(*find_accelerator("h100-sxm")), 1e-3);
  EXPECT_NEAR(matmul_share(*find_accelerator("gb300")), matmul_share(*find_accelerator("b300")), 1e-3);
  EXPECT_EQ(matmul_share(*find_accelerator("t4")), constants::matmul_share_unknown);
}

TEST(Machine, MultipliesInThePrecisionOfItsProducts) {
  const Machine b200 = machine_with("b200");
  const auto peak = [&](MatmulPrecision precision) {
    Work work;
    work.matmul_precision = precision;
    return matrix_peak_tflops(b200, work);
  };
  EXPECT_EQ(peak(MatmulPrecision::stored), 2250);
  EXPECT_EQ(peak(MatmulPrecision::bf16), 2250);
  EXPECT_EQ(peak(MatmulPrecision::mxfp8), 4500);
  EXPECT_EQ(peak(MatmulPrecision::nvfp4), 9000);
  EXPECT_EQ(matrix_peak_tflops(*find_accelerator("h100-sxm"), MatmulPrecision::nvfp4), 1979);
  EXPECT_EQ(matrix_peak_tflops(*find_accelerator("a100-sxm-80gb"), MatmulPrecision::fp8), 312);
}

TEST(Machine, KeepsTheAttentionCoreAndTheHeadIn16Bits) {
  Setting setting;
  setting.work.matmul_precision = MatmulPrecision::bf16;
  const ComputeRates wide = compute_rates(machine_with("b200"), setting, {});
  setting.work.matmul_precision = MatmulPrecision::mxfp8;
  const ComputeRates narrow = compute_rates(machine_with("b200"), setting, {});
  EXPECT_DOUBLE_EQ(narrow.flops_per_us, 2 * wide.flops_per_us);
  EXPECT_EQ(narrow.wide_flops_per_us, wide.wide_flops_per_us);
  EXPECT_EQ(narrow.flash_flops_per_us, wide.flash_flops_per_us);
  EXPECT_EQ(narrow.operand_bytes, 1);
}

TEST(Machine, StacksReachAShareOfTheGpusRate) {
  Setting setting;
  setting.pace.compute_efficiency_percent = 50;
  setting.pace.attention_efficiency_percent = 25;
  setting.pace.host_us_per_kernel = 7;
  const ComputeRates rates = compute_rates(machine_with("a100-sxm-80gb"), setting, {});
  EXPECT_NEAR(rates.flops_per_us, 271.2e6 / 2, 1);
  EXPECT_NEAR(rates.flash_flops_per_us, 271.2e6 / 4, 1);
  EXPECT_EQ(rates.launch_us, 7);
}

TEST(Machine, ScalesChangeTheirOwnRateOnly) {
  const Machine machine = machine_with("a100-sxm-80gb");
  const ComputeRates rates = compute_rates(machine, Setting{}, {});
  MachineScales scales;
  scales.matmul = 2;
  const ComputeRates quicker = compute_rates(machine, Setting{}, scales);
  EXPECT_DOUBLE_EQ(quicker.flops_per_us, 2 * rates.flops_per_us);
  EXPECT_DOUBLE_EQ(quicker.flash_flops_per_us, 2 * rates.flash_flops_per_us);
  EXPECT_EQ(quicker.hbm_bytes_per_us, rates.hbm_bytes_per_us);
  EXPECT_EQ(quicker.launch_us, rates.launch_us);
  scales = {};
  scales.launch = 4;
  EXPECT_DOUBLE_EQ(compute_rates(machine, Setting{}, scales).launch_us, rates.launch_us / 4);
  scales = {};
  scales.hbm = 0.5;
  EXPECT_DOUBLE_EQ(compute_rates(machine, Setting{}, scales).hbm_bytes_per_us, rates.hbm_bytes_per_us / 2);
}

TEST(Machine, StreamsAtTheShareOfItsMemory) {
  EXPECT_DOUBLE_EQ(compute_rates(machine_with("a100-sxm-80gb"), Setting{}, {}).hbm_bytes_per_us,
                   2039e3 * constants::hbm_share);
}

}  // namespace
}  // namespace commcost
