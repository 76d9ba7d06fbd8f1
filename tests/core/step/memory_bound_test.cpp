#include "core/step/memory_bound.h"

#include <gtest/gtest.h>

namespace commcost {
namespace {

// Hidden size 8, two heads of 4, MLP of 32: small enough to count by hand.
ModelShape classic() {
  ModelShape shape;
  shape.num_layers = 1;
  shape.hidden_size = 8;
  shape.num_heads = 2;
  shape.num_kv_heads = 2;
  shape.head_size = 4;
  shape.ffn_hidden_size = 32;
  return shape;
}

Work half_precision(bool dropout) {
  Work work;
  work.bytes_per_element = 2;
  work.gradient_bytes_per_element = 2;
  work.dropout = dropout;
  return work;
}

TEST(MemoryBound, CountsEveryOperandOnceForward) {
  const TokenTraffic traffic = forward_traffic(classic(), half_precision(false), 32);
  // Two norms of 2 passes, two residual sums of 3 passes, 2 bytes, 8 wide.
  EXPECT_EQ(traffic.whole, (2 * 2 + 2 * 3) * 2 * 8);
  // Bias and activation: 2 passes of 32; transposes: 5 passes over a third of 24.
  EXPECT_EQ(traffic.split, 2 * 2 * 32 + 5 * 2 * 8);
}

TEST(MemoryBound, DropoutAddsAByteOfMaskForEachSum) {
  const double with = forward_traffic(classic(), half_precision(true), 32).whole;
  const double without = forward_traffic(classic(), half_precision(false), 32).whole;
  EXPECT_EQ(with - without, 2 * 8);
}

TEST(MemoryBound, BackwardPassMovesMore) {
  for (const bool gated : {false, true}) {
    ModelShape shape = classic();
    shape.gated_mlp = gated;
    const TokenTraffic forward = forward_traffic(shape, half_precision(true), 32);
    const TokenTraffic backward = backward_traffic(shape, half_precision(true), 32);
    EXPECT_GT(backward.whole, forward.whole) << gated;
    EXPECT_GT(backward.split, forward.split) << gated;
  }
}

TEST(MemoryBound, AGateMovesMoreThanABias) {
  ModelShape gated = classic();
  gated.gated_mlp = true;
  EXPECT_GT(forward_traffic(gated, half_precision(false), 32).split,
            forward_traffic(classic(), half_precision(false), 32).split);
}

TEST(MemoryBound, FewerKeysAndValuesMoveLess) {
  ModelShape grouped = classic();
  grouped.num_kv_heads = 1;
  EXPECT_LT(forward_traffic(grouped, half_precision(false), 32).split,
            forward_traffic(classic(), half_precision(false), 32).split);
}

TEST(MemoryBound, ScoresAreReadAndWrittenBySoftmaxAndDropout) {
  EXPECT_EQ(score_traffic_forward(half_precision(false)), 4);
  EXPECT_EQ(score_traffic_forward(half_precision(true)), 9);
  EXPECT_EQ(score_traffic_backward(half_precision(false)), 6);
  EXPECT_EQ(score_traffic_backward(half_precision(true)), 11);
}

TEST(MemoryBound, SumsOfGradientsCostTheirOwnWidthTwice) {
  Work work = half_precision(false);
  EXPECT_EQ(gradient_traffic(work), 2 + 2 * 2);
  work.gradient_bytes_per_element = 4;
  EXPECT_EQ(gradient_traffic(work), 2 + 2 * 4);
}

}  // namespace
}  // namespace commcost
