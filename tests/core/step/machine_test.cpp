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

TEST(Machine, TakesTheGenerationsShareWhereItWasFitted) {
  EXPECT_EQ(matmul_share(*find_accelerator("a100-pcie")), matmul_share(*find_accelerator("a100-sxm-80gb")));
}

TEST(Machine, ScalesAMeasuredRateWhereNothingWasFitted) {
  const Accelerator& known = *find_accelerator("h100-sxm");
  const Accelerator& other = *find_accelerator("b200");
  EXPECT_NEAR(matmul_share(other) * other.bf16_tflops / other.achievable_tflops,
              matmul_share(known) * known.bf16_tflops / known.achievable_tflops, 1e-12);
}

TEST(Machine, ScalesChangeTheirOwnRateOnly) {
  const Machine machine = machine_with("a100-sxm-80gb");
  const ComputeRates rates = compute_rates(machine, 2, {});
  MachineScales scales;
  scales.matmul = 2;
  const ComputeRates quicker = compute_rates(machine, 2, scales);
  EXPECT_DOUBLE_EQ(quicker.flops_per_us, 2 * rates.flops_per_us);
  EXPECT_DOUBLE_EQ(quicker.flash_flops_per_us, 2 * rates.flash_flops_per_us);
  EXPECT_EQ(quicker.hbm_bytes_per_us, rates.hbm_bytes_per_us);
  EXPECT_EQ(quicker.launch_us, rates.launch_us);
  scales = {};
  scales.launch = 4;
  EXPECT_DOUBLE_EQ(compute_rates(machine, 2, scales).launch_us, rates.launch_us / 4);
  scales = {};
  scales.hbm = 0.5;
  EXPECT_DOUBLE_EQ(compute_rates(machine, 2, scales).hbm_bytes_per_us, rates.hbm_bytes_per_us / 2);
}

TEST(Machine, StreamsAtTheShareOfItsMemory) {
  EXPECT_DOUBLE_EQ(compute_rates(machine_with("a100-sxm-80gb"), 2, {}).hbm_bytes_per_us,
                   2039e3 * constants::hbm_share);
}

}  // namespace
}  // namespace commcost
