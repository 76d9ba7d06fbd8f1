#include "core/parallel/compute_rates.h"

#include <gtest/gtest.h>

#include "core/compute/constants.h"

namespace commcost {
namespace {

Job on(std::string_view accelerator) {
  Job job;
  job.machine.accelerator = static_cast<int>(find_accelerator(accelerator) - all_accelerators().data());
  return job;
}

TEST(ComputeRates, KeepsTheAttentionCoreAndTheHeadIn16Bits) {
  Job job = on("b200");
  job.work.matmul_precision = MatmulPrecision::bf16;
  const ComputeRates wide = compute_rates(job);
  job.work.matmul_precision = MatmulPrecision::mxfp8;
  const ComputeRates narrow = compute_rates(job);
  EXPECT_DOUBLE_EQ(narrow.flops_per_us, 2 * wide.flops_per_us);
  EXPECT_EQ(narrow.wide_flops_per_us, wide.wide_flops_per_us);
  EXPECT_EQ(narrow.flash_flops_per_us, wide.flash_flops_per_us);
}

TEST(ComputeRates, StacksReachAShareOfTheGpusRate) {
  Job job = on("a100-sxm-80gb");
  job.stack.compute_efficiency_percent = 50;
  job.stack.attention_efficiency_percent = 25;
  job.stack.host_us_per_kernel = 7;
  const ComputeRates rates = compute_rates(job);
  EXPECT_NEAR(rates.flops_per_us, 271.2e6 / 2, 1);
  EXPECT_NEAR(rates.flash_flops_per_us, 271.2e6 / 4, 1);
  EXPECT_EQ(rates.launch_us, 7);
}

TEST(ComputeRates, ScalesChangeTheirOwnRateOnly) {
  const Job job = on("a100-sxm-80gb");
  const ComputeRates rates = compute_rates(job);
  MachineScales scales;
  scales.matmul = 2;
  const ComputeRates quicker = compute_rates(job, scales);
  EXPECT_DOUBLE_EQ(quicker.flops_per_us, 2 * rates.flops_per_us);
  EXPECT_DOUBLE_EQ(quicker.flash_flops_per_us, 2 * rates.flash_flops_per_us);
  EXPECT_EQ(quicker.hbm_bytes_per_us, rates.hbm_bytes_per_us);
  EXPECT_EQ(quicker.launch_us, rates.launch_us);
  scales = {};
  scales.launch = 4;
  EXPECT_DOUBLE_EQ(compute_rates(job, scales).launch_us, rates.launch_us / 4);
  scales = {};
  scales.hbm = 0.5;
  EXPECT_DOUBLE_EQ(compute_rates(job, scales).hbm_bytes_per_us, rates.hbm_bytes_per_us / 2);
}

TEST(ComputeRates, StreamsAtTheShareOfItsMemory) {
  EXPECT_DOUBLE_EQ(compute_rates(on("a100-sxm-80gb")).hbm_bytes_per_us, 2039e3 * constants::hbm_share);
}

}  // namespace
}  // namespace commcost
