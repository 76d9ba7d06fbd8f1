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

TokenTraffic forward_of(const ModelShape& shape, const Work& work, double ranks = 1) {
  return forward_traffic(shape, layer_matrices(shape, usual_layer(shape), ranks), work);
}

TokenTraffic backward_of(const ModelShape& shape, const Work& work, double ranks = 1) {
  return backward_traffic(shape, layer_matrices(shape, usual_layer(shape), ranks), work);
}

TEST(MemoryBound, CountsEveryOperandOnceForward) {
  const TokenTraffic traffic = forward_of(classic(), half_precision(false));
  // Two norms of 2 passes, two residual sums of 3 passes, 2 bytes, 8 wide.
  EXPECT_EQ(traffic.whole, (2 * 2 + 2 * 3) * 2 * 8);
  // Bias and activation: 2 passes of 32; transposes: 5 passes over a third of 24.
  EXPECT_EQ(traffic.split, 2 * 2 * 32 + 5 * 2 * 8);
  // Two ranks: half the heads and half the MLP each.
  EXPECT_EQ(forward_of(classic(), half_precision(false), 2).whole, traffic.whole);
  EXPECT_EQ(forward_of(classic(), half_precision(false), 2).split, traffic.split / 2);
}

TEST(MemoryBound, CountsEveryOperandOnceBackward) {
  const TokenTraffic traffic = backward_of(classic(), half_precision(false));
  // Two norms of 4 passes; activation: input, gradient, result.
  EXPECT_EQ(traffic.whole, (2 * 4 + 2 * 3) * 2 * 8);
  EXPECT_EQ(traffic.split, 3 * 2 * 32 + 5 * 2 * 8);
}

TEST(MemoryBound, DropoutAddsAByteOfMaskForEachSum) {
  for (const auto of : {forward_of, backward_of}) {
    EXPECT_EQ(of(classic(), half_precision(true), 1).whole - of(classic(), half_precision(false), 1).whole,
              2 * 8);
  }
}

TEST(MemoryBound, AGateAndRotaryPositionsMoveMore) {
  ModelShape gated = classic();
  gated.gated_mlp = true;
  // silu 2 passes and product 3, of 32; 6 passes over 24.
  EXPECT_EQ(forward_of(gated, half_precision(false)).split, 5 * 2 * 32 + 6 * 2 * 24);
  EXPECT_EQ(backward_of(gated, half_precision(false)).split, 8 * 2 * 32 + 6 * 2 * 24);
}

TEST(MemoryBound, FewerKeysAndValuesMoveLess) {
  ModelShape grouped = classic();
  grouped.gated_mlp = true;
  grouped.num_kv_heads = 1;
  EXPECT_EQ(forward_of(grouped, half_precision(false)).split, 5 * 2 * 32 + 6 * 2 * 16);
  // Each of two ranks has a query head and a copy of the key and value head.
  EXPECT_EQ(forward_of(grouped, half_precision(false), 2).split, 5 * 2 * 16 + 6 * 2 * 12);
}

TEST(MemoryBound, ATokenPassesThroughTheExpertsThatItVisits) {
  ModelShape sparse = classic();
  sparse.num_experts = 8;
  sparse.experts_per_token = 2;
  sparse.num_shared_experts = 1;
  EXPECT_EQ(forward_of(sparse, half_precision(false)).split, 2 * 2 * 3 * 32 + 5 * 2 * 8);
}

// Latents of 6 + 4, heads of 4 + 2 in queries and keys, of 4 in values; one rotated part of 2 for both keys.
TEST(MemoryBound, LatentAttentionNormalisesItsLatentsAndRotatesAPart) {
  ModelShape latent = classic();
  latent.gated_mlp = true;
  latent.query_rank = 6;
  latent.kv_rank = 4;
  latent.rope_head_size = 2;
  const TokenTraffic forward = forward_of(latent, half_precision(false));
  EXPECT_EQ(forward.whole, (2 * 2 + 2 * 3) * 2 * 8 + 2 * 2 * 10);
  EXPECT_EQ(forward.split, 5 * 2 * 32 + 6 * 2 * (2 * 2 + 2) + 2 * 2 * (12 + 12 + 8));
  const TokenTraffic backward = backward_of(latent, half_precision(false));
  EXPECT_EQ(backward.whole, (2 * 4 + 2 * 3) * 2 * 8 + 4 * 2 * 10);
  EXPECT_EQ(backward.split, 8 * 2 * 32 + 6 * 2 * (2 * 2 + 2) + 2 * 2 * (12 + 12 + 8));
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
