#include "core/compute/kernel_time.h"

#include <gtest/gtest.h>

namespace commcost {
namespace {

constexpr ComputeRates rates{.flops_per_us = 1000,
                             .wide_flops_per_us = 400,
                             .flash_flops_per_us = 500,
                             .grouped_share = 0.5,
                             .hbm_bytes_per_us = 100,
                             .matrix_traffic_weight = 1.5};

// A product in FP8 of matrices that are kept in two bytes.
Kernel product(double rows, double columns, double inner) {
  Kernel kernel;
  kernel.routine = Routine::product;
  kernel.precision = MatmulPrecision::fp8;
  kernel.gemm = {rows, columns, inner};
  kernel.flops = kernel.gemm.flops();
  kernel.bytes = 2 * (rows * columns + columns * inner + rows * inner);
  return kernel;
}

TEST(KernelTime, AProductCountsAMultiplyAddAsTwo) {
  EXPECT_EQ((Gemm{3, 5, 7, 2}.flops()), 2.0 * 3 * 5 * 7 * 2);
}

// 2 * 10 * 20 * 30 FLOPs at 1000 a microsecond; (10*30 + 30*20 + 10*20) elements of 2 bytes, 1.5 times, at
// 100.
TEST(KernelTime, AProductTakesFlopsAtTheRateAndTrafficOnTop) {
  EXPECT_DOUBLE_EQ(time_us(product(10, 20, 30), rates), 12.0 + 1.5 * 2200 / 100);
}

TEST(KernelTime, ThinProductsAreSlowerForTheSameFlops) {
  EXPECT_GT(time_us(product(4096, 64, 4096), rates), time_us(product(1024, 1024, 1024), rates));
}

TEST(KernelTime, AProductSplitOverRanksNeverGainsMoreThanTheirNumber) {
  for (const double ranks : {2.0, 4.0, 8.0}) {
    EXPECT_GT(time_us(product(2048, 4096 / ranks, 4096), rates) * ranks,
              time_us(product(2048, 4096, 4096), rates))
        << ranks;
  }
}

TEST(KernelTime, EachRoutineHasItsRate) {
  Kernel kernel = product(10, 20, 30);
  kernel.precision = MatmulPrecision::stored;
  EXPECT_DOUBLE_EQ(time_us(kernel, rates), 12000.0 / 400 + 1.5 * 2200 / 100);
  kernel.precision = MatmulPrecision::fp8;
  kernel.routine = Routine::grouped_product;
  EXPECT_DOUBLE_EQ(time_us(kernel, rates), 2 * 12.0 + 1.5 * 2200 / 100);
  kernel.routine = Routine::fused_attention;
  EXPECT_DOUBLE_EQ(time_us(kernel, rates), 12000.0 / 500);
  // Reading 32 us and multiplying 24 us beside it.
  kernel.routine = Routine::cached_attention;
  kernel.bytes = 3200;
  EXPECT_DOUBLE_EQ(time_us(kernel, rates), 40);
  for (const Routine streaming : {Routine::softmax, Routine::dropout, Routine::conversion,
                                  Routine::accumulation, Routine::elementwise}) {
    kernel.routine = streaming;
    EXPECT_DOUBLE_EQ(time_us(kernel, rates), 32);
  }
}

TEST(KernelTime, AtLineRatesOnlyFlopsOrBytesCount) {
  const ComputeRates line = line_rates(989, 3350);
  EXPECT_DOUBLE_EQ(time_us(product(4096, 4096, 4096), line), 2 * 4096.0 * 4096 * 4096 / 989e6);
  Kernel norm;
  norm.bytes = 1e6;
  EXPECT_DOUBLE_EQ(time_us(norm, line), 1e6 / 3350e3);
}

// Reading 3 us and multiplying 4 us take 5 together: 2 more than reading. Activations stream on top.
TEST(KernelTime, InferenceReadsWeightsBesideMultiplying) {
  Kernel thin = product(1, 1, 1);
  thin.flops = 4000;
  thin.held_bytes = 150;
  thin.bytes = 250;
  thin.launches = 1;
  Kernel cached = thin;
  cached.routine = Routine::cached_attention;
  cached.flops = 2000;
  cached.bytes = 150;
  Kernel norm;
  norm.bytes = 700;
  norm.launches = 3;
  Kernels kernels;
  for (const Kernel& kernel : {thin, cached, norm}) kernels.add(kernel);
  const InferenceTime time = inference_time(kernels, rates, 50);
  EXPECT_DOUBLE_EQ(time.weights_us, 3);
  EXPECT_DOUBLE_EQ(time.cache_us, 3);
  EXPECT_DOUBLE_EQ(time.compute_us, (2 + 1) + 2 + 7);
  EXPECT_EQ(time.launches, 5);
}

// Fully recomputed kernels are launched once more; a part of one takes its part of the time.
TEST(KernelTime, SumsAreOfAllPasses) {
  Kernel forward = product(10, 20, 30);
  forward.operation = Operation::mlp_in;
  forward.launches = 1;
  forward.recomputed = 0.5;
  forward.recomputed_by = RecomputedBy::products;
  Kernel weight = forward;
  weight.pass = KernelPass::weight_gradient;
  weight.recomputed = 0;
  weight.recomputed_by = RecomputedBy::nothing;
  Kernel norm;
  norm.bytes = 700;
  norm.launches = 4;
  norm.recomputed = 1;
  norm.recomputed_by = RecomputedBy::full;
  Kernels kernels;
  for (const Kernel& kernel : {norm, forward, weight}) kernels.add(kernel);
  const ComputeTime time = compute_time(kernels, rates);
  const double each = time_us(forward, rates);
  EXPECT_DOUBLE_EQ(time.forward_us(), each + 7);
  EXPECT_DOUBLE_EQ(time.forward_us(Operation::mlp_in), each);
  EXPECT_DOUBLE_EQ(time.backward_us(), each);
  EXPECT_DOUBLE_EQ(time.backward_us(Operation::mlp_in), each);
  EXPECT_DOUBLE_EQ(time.weight_gradient_us, each);
  EXPECT_DOUBLE_EQ(time.recompute_us, each / 2 + 7);
  EXPECT_EQ(time.launches, 1 + 1 + 2 * 4);
}

}  // namespace
}  // namespace commcost
