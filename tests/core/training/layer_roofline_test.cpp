#include "core/training/layer_roofline.h"

#include <gtest/gtest.h>

#include "core/model/catalog.h"
#include "core/training/layer_time.h"
#include "support/jobs.h"
#include "support/models.h"

namespace commcost {
namespace {

using test::changed;

Machine h100() {
  Machine machine;
  machine.accelerator = place_of_accelerator("h100-sxm");
  return completed(machine);
}

Job llama_70b(std::int64_t tensor_parallel) {
  return changed(test::plain_job(completed(find_model("llama-3.1-70b")->shape), 8192, 1), [&](Job& s) {
    s.machine = h100();
    s.work.flash_attention = true;
    s.layout.tensor_parallel = tensor_parallel;
  });
}

const KernelPoint& point(const LayerRoofline& roofline, RooflineKernel kernel) {
  for (const KernelPoint& one : roofline.kernels) {
    if (one.kernel == kernel) return one;
  }
  ADD_FAILURE() << "no such kernel";
  return roofline.kernels.front();
}

// By hand, Llama 3.1 70B (h 8192, 28672 between, 64 heads of 128, 8 for keys and values) on 8192 tokens in 16
// bits: gate and up are 2 * 8192 * 8192 * 28672 FLOPs each, and each reads 8192 * 8192 + 8192 * 28672
// elements and writes 8192 * 28672.
TEST(Roofline, CountsWhatAProductComputesAndMoves) {
  const LayerRoofline roofline = layer_roofline(llama_70b(1));
  const KernelPoint& mlp_in = point(roofline, RooflineKernel::mlp_in);
  EXPECT_DOUBLE_EQ(mlp_in.flops, 2 * 2.0 * 8192 * 8192 * 28672);
  EXPECT_DOUBLE_EQ(mlp_in.hbm_bytes, 2.0 * (8192.0 * 8192 + 2 * 2 * 8192.0 * 28672));
  const KernelPoint& core = point(roofline, RooflineKernel::attention_core);
  // Half of the scores, two products; queries and outputs of 8192, keys and values of 1024 elements a token.
  EXPECT_DOUBLE_EQ(core.flops, 2.0 * 8192 * 4096 * 64 * 256);
  EXPECT_DOUBLE_EQ(core.hbm_bytes, 2.0 * 8192 * (8192 + 1024 + 1024 + 8192));
  EXPECT_EQ(point(roofline, RooflineKernel::memory_bound).flops, 0);
  EXPECT_EQ(roofline.peak_tflops, find_accelerator("h100-sxm")->bf16_tflops);
}

TEST(Roofline, IsTheStepsOwnForwardPass) {
  const Job job = llama_70b(8);
  EXPECT_NEAR(layer_roofline(job).forward_us, layer_times(StepModel(job)).dense.forward_us, 1e-6);
}

// No kernel beats the matrix peak, nor the memory.
TEST(Roofline, StaysUnderItsRoof) {
  for (const std::int64_t degree : {1, 8}) {
    const LayerRoofline roofline = layer_roofline(llama_70b(degree));
    for (const KernelPoint& one : roofline.kernels) {
      EXPECT_LE(one.flops, one.time_us * roofline.peak_tflops * 1e6);
      EXPECT_LE(one.hbm_bytes, one.time_us * roofline.hbm_gb_per_sec * 1e3);
    }
  }
}

// A kernel's range is that of kernel_time on the same shape: that of kernels of its kind.
TEST(Roofline, HasTheRangesOfMeasuredKernels) {
  const LayerRoofline roofline = layer_roofline(llama_70b(8));
  KernelQuestion question;
  question.call = GemmCall{.m = 8192, .n = 8192, .k = 3584};
  const KernelPrice price = price_of(question, *find_accelerator("h100-sxm"));
  const KernelPoint& mlp_out = point(roofline, RooflineKernel::mlp_out);
  EXPECT_EQ(mlp_out.basis, Basis::measured);
  EXPECT_EQ(mlp_out.limit, KernelLimit::compute);
  EXPECT_NEAR(mlp_out.low_us / mlp_out.time_us, price.low_us / price.time_us, 1e-12);
  EXPECT_NEAR(mlp_out.high_us / mlp_out.time_us, price.high_us / price.time_us, 1e-12);
  EXPECT_EQ(point(roofline, RooflineKernel::memory_bound).limit, KernelLimit::memory);
}

// No kernel was measured on an accelerator of another kind, nor one of FlashAttention-2's.
TEST(Roofline, SaysWhereNothingWasMeasured) {
  Job elsewhere = llama_70b(8);
  elsewhere.machine.accelerator = place_of_accelerator("mi300x");
  elsewhere.machine.peak_tflops = elsewhere.machine.hbm_gb_per_sec = 0;
  elsewhere.machine = completed(elsewhere.machine);
  for (const KernelPoint& one : layer_roofline(elsewhere).kernels) {
    EXPECT_EQ(one.basis, Basis::estimated);
    EXPECT_LT(one.low_us, one.time_us);
    EXPECT_GT(one.high_us, one.time_us);
  }
  Job older = llama_70b(8);
  older.stack.flash_attention_2 = true;
  EXPECT_EQ(point(layer_roofline(older), RooflineKernel::attention_core).basis, Basis::estimated);
  EXPECT_EQ(point(layer_roofline(older), RooflineKernel::mlp_in).basis, Basis::measured);
}

// HBM gives what the kernel list counts of the same product, and tiles make L2 give more.
TEST(Roofline, FollowsItsLongestProductInwards) {
  const LayerRoofline roofline = layer_roofline(llama_70b(1));
  EXPECT_EQ(roofline.longest, RooflineKernel::mlp_in);
  const KernelPoint& mlp_in = point(roofline, RooflineKernel::mlp_in);
  const auto& levels = roofline.traffic.levels;
  const auto of = [&](MemoryLevel level) { return levels[static_cast<std::size_t>(level)]; };
  EXPECT_NEAR(of(MemoryLevel::hbm).bytes, mlp_in.hbm_bytes, 1e-9 * mlp_in.hbm_bytes);
  EXPECT_NEAR(of(MemoryLevel::hbm).flops_per_byte, mlp_in.flops / mlp_in.hbm_bytes, 1e-6);
  EXPECT_GT(of(MemoryLevel::l2).bytes, of(MemoryLevel::hbm).bytes);
}

}  // namespace
}  // namespace commcost
