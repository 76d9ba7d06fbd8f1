#include "core/serving/serving_roofline.h"

#include <gtest/gtest.h>

#include "core/model/catalog.h"

namespace commcost {
namespace {

ServingStepInputs server(Mode mode) {
  ServingStepInputs inputs;
  inputs.job.model = find_model("llama-3.1-70b")->shape;
  inputs.job.machine.accelerator = place_of_accelerator("h100-sxm");
  inputs.job.layout.tensor_parallel = 8;
  inputs.job.work.mode = mode;
  inputs.job.work.batch_size = mode == Mode::decode ? 64 : 1;
  inputs.job.work.sequence_length = 4096;
  return inputs;
}

Roofline roofline(const ServingStepInputs& inputs) {
  const Outcome<Roofline> found = serving_roofline(inputs);
  EXPECT_TRUE(found);
  return found ? *found : Roofline{};
}

const KernelPoint& point(const Roofline& roofline, RooflineKernel kernel) {
  for (const KernelPoint& one : roofline.kernels) {
    if (one.kernel == kernel) return one;
  }
  ADD_FAILURE() << "no such kernel";
  return roofline.kernels.front();
}

// By hand, one of eight ranks of Llama 3.1 70B with 64 sequences of 4096 tokens: gate and up read 2 x 8192 x
// 3584 weights, attention one head of 128 for keys and one for values.
TEST(ServingRoofline, CountsWhatATokenComputesAndReads) {
  const Roofline found = roofline(server(Mode::decode));
  const KernelPoint& mlp_in = point(found, RooflineKernel::mlp_in);
  EXPECT_DOUBLE_EQ(mlp_in.flops, 2 * 2.0 * 64 * 8192 * 3584);
  EXPECT_NEAR(mlp_in.hbm_bytes, 2 * 2.0 * 8192 * 3584, 0.05 * mlp_in.hbm_bytes);
  const KernelPoint& core = point(found, RooflineKernel::attention_core);
  EXPECT_NEAR(core.hbm_bytes, 64 * 4096.0 * 2 * 128 * 2, 0.01 * core.hbm_bytes);
  EXPECT_EQ(core.limit, KernelLimit::memory);
}

// What a token reads is below the ridge, a prompt's products are above.
TEST(ServingRoofline, StandsOnEitherSideOfTheRidge) {
  for (const Mode mode : {Mode::decode, Mode::prefill}) {
    const Roofline found = roofline(server(mode));
    const double ridge = found.peak_tflops * 1e3 / found.hbm_gb_per_sec;
    const KernelPoint& mlp_in = point(found, RooflineKernel::mlp_in);
    EXPECT_EQ(mlp_in.flops / mlp_in.hbm_bytes > ridge, mode == Mode::prefill);
    EXPECT_EQ(mlp_in.basis, Basis::measured);
    for (const KernelPoint& one : found.kernels) {
      EXPECT_LE(one.flops, one.time_us * found.peak_tflops * 1e6);
      EXPECT_LT(one.low_us, one.time_us);
      EXPECT_GT(one.high_us, one.time_us);
    }
  }
}

// All layers, with both ends of the model: a step's kernels, but for what its stack takes to start them.
TEST(ServingRoofline, IsTheStepsOwnLayer) {
  for (const Mode mode : {Mode::decode, Mode::prefill}) {
    ServingStepInputs inputs = server(mode);
    inputs.job.stack.serving.kernel_start_us = 0;
    const Outcome<ServingStep> step = serving_step(inputs);
    ASSERT_TRUE(step);
    ServingParts parts = step->parts;
    const double kernels = parts.weights_us + parts.cache_us + parts.compute_us + parts.kernels_us;
    const double layers = 80 * roofline(inputs).forward_us;
    EXPECT_LT(layers, kernels);
    EXPECT_GT(layers, 0.9 * kernels);
  }
}

TEST(ServingRoofline, RefusesWhatAStepRefuses) {
  ServingStepInputs inputs = server(Mode::decode);
  inputs.job.layout.tensor_parallel = 7;
  EXPECT_FALSE(serving_roofline(inputs));
}

}  // namespace
}  // namespace commcost
