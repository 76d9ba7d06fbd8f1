#include "core/step/machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

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
}

struct PrecisionCase {
  const char* accelerator;
  std::vector<std::string_view> precisions;
};

// By the data sheets: bf16 since Ampere, fp8 since Hopper and Ada, blocks of 32 and 4 bits since Blackwell
// and CDNA 4; TPUs have no fp16.
TEST(Machine, MultipliesInWhatItsMatrixUnitsHave) {
  const PrecisionCase cases[] = {
      {"v100-sxm", {"fp16"}},
      {"t4", {"fp16"}},
      {"a100-sxm-80gb", {"bf16", "fp16"}},
      {"h100-sxm", {"bf16", "fp16", "fp8"}},
      {"l40s", {"bf16", "fp16", "fp8"}},
      {"b200", {"bf16", "fp16", "fp8", "mxfp8", "nvfp4"}},
      {"mi250x", {"bf16", "fp16"}},
      {"mi300x", {"bf16", "fp16", "fp8"}},
      {"mi355x", {"bf16", "fp16", "fp8", "mxfp8", "nvfp4"}},
      {"tpu-v5p", {"bf16"}},
      {"tpu-v7x", {"bf16", "fp8"}},
  };
  for (const PrecisionCase& one : cases)
    EXPECT_EQ(matmul_precisions(*find_accelerator(one.accelerator)), one.precisions) << one.accelerator;
}

// What the hardware lacks is refused, with what it has; what is kept in few bits is not.
TEST(Machine, RefusesThePrecisionsThatItsHardwareLacks) {
  Setting setting;
  setting.shape = {.num_layers = 2, .hidden_size = 64, .num_heads = 4};
  setting.work.sequence_length = 16;
  setting.work.batch_size = 1;
  for (const Accelerator& accelerator : all_accelerators()) {
    const Machine machine = machine_with(accelerator.id);
    const auto has = matmul_precisions(accelerator);
    for (std::size_t at = 0; at < std::size(matmul_precision_names); ++at) {
      setting.work.matmul_precision = static_cast<MatmulPrecision>(at);
      const Setting whole = completed(setting);
      const bool right = setting.work.matmul_precision == MatmulPrecision::stored ||
                         std::find(has.begin(), has.end(), matmul_precision_names[at]) != has.end();
      EXPECT_EQ(can_exist(whole, machine), right) << accelerator.id << ' ' << matmul_precision_names[at];
      EXPECT_EQ(problems_of(whole, machine).empty(), right) << accelerator.id;
    }
    setting.work.matmul_precision = MatmulPrecision::stored;
    for (const std::int64_t bytes : {1, 2, 4}) {
      setting.work.bytes_per_element = bytes;
      EXPECT_TRUE(can_exist(completed(setting), machine)) << accelerator.id << ' ' << bytes;
    }
  }
  setting.work.matmul_precision = MatmulPrecision::nvfp4;
  const Problems refused = problems_of(completed(setting), machine_with("h100-sxm"));
  ASSERT_EQ(refused.size(), 1u);
  EXPECT_EQ(refused[0].field, "matmul_precision");
  EXPECT_EQ(refused[0].message,
            "matmul_precision must be one that the hardware has: H100 SXM multiplies in bf16, fp16 and fp8, "
            "not nvfp4");
  EXPECT_EQ(refused[0].allowed, "stored, bf16, fp16 or fp8");
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
