#include "core/model/matrices.h"

#include <gtest/gtest.h>

#include "core/model/activations.h"
#include "core/model/catalog.h"
#include "core/model/flops.h"
#include "core/model/parameters.h"
#include "support/jobs.h"
#include "support/models.h"

namespace commcost {
namespace {

ModelShape shape_of(const char* model) {
  return completed(find_model(model)->shape);
}

struct Dimensions {
  double inputs, outputs, count, visits;
  MatrixSplit split;
};

void expect_matrices(const LayerMatrices& layer, const std::vector<Dimensions>& expected) {
  ASSERT_EQ(layer.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Matrix& matrix = layer.begin()[i];
    EXPECT_EQ(matrix.inputs, expected[i].inputs) << i;
    EXPECT_EQ(matrix.outputs, expected[i].outputs) << i;
    EXPECT_EQ(matrix.count, expected[i].count) << i;
    EXPECT_EQ(matrix.visits, expected[i].visits) << i;
    EXPECT_EQ(matrix.split, expected[i].split) << i;
  }
}

constexpr MatrixSplit column = MatrixSplit::column, row = MatrixSplit::row, none = MatrixSplit::none;

// github.com/meta-llama/llama-models, Llama 3.1 70B: 64 heads of 128, 8 of keys and values, MLP of 28672.
TEST(Matrices, OfLlama70BOnOneAndOnSixteenRanks) {
  expect_matrices(layer_matrices(shape_of("llama-3.1-70b"), LayerKind::dense), {{8192, 10240, 1, 1, column},
                                                                                {8192, 8192, 1, 1, row},
                                                                                {8192, 57344, 1, 1, column},
                                                                                {28672, 8192, 1, 1, row}});
  // Four query heads, and one key and value head, which two ranks hold.
  expect_matrices(layer_matrices(shape_of("llama-3.1-70b"), LayerKind::dense, 16),
                  {{8192, 768, 1, 1, column},
                   {512, 8192, 1, 1, row},
                   {8192, 3584, 1, 1, column},
                   {1792, 8192, 1, 1, row}});
}

// arXiv:2412.19437, section 4.2: hidden 7168, 128 heads of 128, ranks 1536 and 512, rotary part 64, one
// shared and 256 routed experts of 2048, 8 visited; three dense layers of 18432.
TEST(Matrices, OfDeepSeekV3) {
  const ModelShape shape = shape_of("deepseek-v3");
  expect_matrices(layer_matrices(shape, LayerKind::moe), {{7168, 1536, 1, 1, none},
                                                          {1536, 24576, 1, 1, column},
                                                          {7168, 576, 1, 1, none},
                                                          {512, 32768, 1, 1, column},
                                                          {16384, 7168, 1, 1, row},
                                                          {7168, 256, 1, 1, none},
                                                          {7168, 4096, 256, 8, column},
                                                          {2048, 7168, 256, 8, row},
                                                          {7168, 4096, 1, 1, column},
                                                          {2048, 7168, 1, 1, row}});
  expect_matrices(layer_matrices(shape, LayerKind::dense, 8), {{7168, 1536, 1, 1, none},
                                                               {1536, 3072, 1, 1, column},
                                                               {7168, 576, 1, 1, none},
                                                               {512, 4096, 1, 1, column},
                                                               {2048, 7168, 1, 1, row},
                                                               {7168, 4608, 1, 1, column},
                                                               {2304, 7168, 1, 1, row}});
  EXPECT_EQ(layer_matrices(shape, LayerKind::moe).norms, 2 * 7168 + 1536 + 512);
}

TEST(Matrices, OfLatentAttentionWithFullQueries) {
  ModelShape shape = shape_of("deepseek-v3");
  shape.query_rank = 0;
  expect_matrices(layer_matrices(shape, LayerKind::dense, 8), {{7168, 3072, 1, 1, column},
                                                               {7168, 576, 1, 1, none},
                                                               {512, 4096, 1, 1, column},
                                                               {2048, 7168, 1, 1, row},
                                                               {7168, 4608, 1, 1, column},
                                                               {2304, 7168, 1, 1, row}});
}

TEST(Matrices, SharedExpertsSideBySideAreOneMlp) {
  ModelShape shape = shape_of("deepseek-v3");
  shape.num_shared_experts = 2;
  const LayerMatrices layer = layer_matrices(shape, LayerKind::moe);
  EXPECT_EQ(layer.begin()[8].outputs, 2 * 4096);
  EXPECT_EQ(layer.begin()[9].inputs, 2 * 2048);
}

TEST(Matrices, SayWhatTheCoreWorksOn) {
  const AttentionWidths grouped = layer_matrices(shape_of("llama-3.1-70b"), LayerKind::dense, 4).attention;
  EXPECT_EQ(grouped.heads, 16);
  EXPECT_EQ(grouped.queries, 16 * 128);
  EXPECT_EQ(grouped.keys, 2 * 128);
  EXPECT_EQ(grouped.values, 2 * 128);
  EXPECT_EQ(grouped.all(), 20 * 128);
  EXPECT_EQ(grouped.rotated, 18 * 128);
  EXPECT_EQ(grouped.cache, 4 * 128);
  EXPECT_EQ(grouped.latents, 0);
  EXPECT_EQ(grouped.head_width(), 256);
  EXPECT_EQ(grouped.cached_head_width, 256);

  // Keys of 128 + 64, values of 128 for every head; the cache holds 512 + 64 on every rank.
  const AttentionWidths latent = layer_matrices(shape_of("deepseek-v3"), LayerKind::dense, 4).attention;
  EXPECT_EQ(latent.heads, 32);
  EXPECT_EQ(latent.queries, 32 * 192);
  EXPECT_EQ(latent.keys, 32 * 192);
  EXPECT_EQ(latent.values, 32 * 128);
  EXPECT_EQ(latent.rotated, 33 * 64);
  EXPECT_EQ(latent.cache, 576);
  EXPECT_EQ(latent.latents, 1536 + 512);
  EXPECT_EQ(latent.head_width(), 192 + 128);
  // arXiv:2405.04434: scores of 512 + 64, outputs of 512.
  EXPECT_EQ(latent.cached_head_width, 576 + 512);
}

TEST(Matrices, HaveBiasesWhereTheShapeHas) {
  const ModelShape shape = test::classic_shape(1, 64, 4);
  const LayerMatrices layer = layer_matrices(shape, LayerKind::dense, 2);
  const double biases[] = {96, 64, 128, 64};
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(layer.begin()[i].biases, biases[i]) << i;
  EXPECT_EQ(layer.begin()[0].size(), 64 * 96 + 96);
  // Two norms of scale and shift, and the biases added after the two sums.
  EXPECT_EQ(layer.norms, 2 * 2 * 64);
  EXPECT_EQ(layer.replicated_parameters(), 4 * 64 + 2 * 64);
}

// Megatron sums these gradients over tensor ranks with sequence parallelism: norms, router, projections down.
TEST(Matrices, SayWhatEveryTensorRankHoldsWhole) {
  for (const double ranks : {1.0, 8.0}) {
    EXPECT_EQ(layer_matrices(shape_of("mixtral-8x7b"), LayerKind::moe, ranks).replicated_parameters(),
              2 * 4096 + 4096 * 8);
    const ModelShape deepseek = shape_of("deepseek-v3");
    const double attention = 2 * 7168 + 7168 * (1536 + 576) + 1536 + 512;
    EXPECT_EQ(layer_matrices(deepseek, LayerKind::dense, ranks).replicated_parameters(), attention);
    EXPECT_EQ(layer_matrices(deepseek, LayerKind::moe, ranks).replicated_parameters(),
              attention + 7168 * 256);
  }
}

TEST(Matrices, OfTheHeadAreRoundedUp) {
  const ModelShape shape = shape_of("gpt2-small");
  EXPECT_EQ(head_matrix(shape).outputs, 50257);
  EXPECT_EQ(head_matrix(shape, 8).outputs, 6283);
  EXPECT_EQ(head_matrix(shape, 8).parameters(), 6283 * 768);
  EXPECT_EQ(head_matrix(shape).flops(), 2 * 50257 * 768);
}

class CatalogMatrices : public testing::TestWithParam<ModelRow> {};

TEST_P(CatalogMatrices, AddUpToParametersAndFlops) {
  const ModelShape shape = completed(GetParam().shape);
  const Parameters count = parameters_of(shape);
  for (const LayerKind kind : {LayerKind::dense, LayerKind::moe}) {
    if (kind == LayerKind::moe && !has_experts(shape)) continue;
    const LayerMatrices layer = layer_matrices(shape, kind);
    double parameters = layer.norms;
    double flops = 0;
    for (const Matrix& matrix : layer) {
      parameters += matrix.count * (matrix.inputs * matrix.outputs + matrix.biases);
      flops += 2 * matrix.inputs * matrix.outputs * matrix.visits;
    }
    EXPECT_EQ(layer_parameters(count, shape, kind), parameters);
    Work work;
    work.sequence_length = work.batch_size = 1;
    EXPECT_NEAR(layer_flops(shape, work, kind).products() / flops, 1, 1e-12);
  }
}

TEST_P(CatalogMatrices, OfAllRanksAreTheWholeAndWhatIsCopied) {
  const ModelShape shape = completed(GetParam().shape);
  const LayerKind kind = usual_layer(shape);
  const double ranks = shape.num_heads % 8 == 0 && shape.ffn_hidden_size % 8 == 0 ? 8 : 1;
  const LayerMatrices whole = layer_matrices(shape, kind);
  const LayerMatrices shard = layer_matrices(shape, kind, ranks);
  const double copies = std::max(1.0, ranks / static_cast<double>(shape.num_kv_heads));
  const double hidden = static_cast<double>(shape.hidden_size);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const Matrix& all = whole.begin()[i];
    const Matrix& own = shard.begin()[i];
    double expected = all.inputs * all.outputs;
    if (all.split == MatrixSplit::none) expected *= ranks;
    if (i == 0 && shape.kv_rank == 0)
      expected += (copies - 1) * hidden * (whole.attention.keys + whole.attention.values);
    EXPECT_DOUBLE_EQ(ranks * own.inputs * own.outputs, expected) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(All, CatalogMatrices, testing::ValuesIn(all_models().begin(), all_models().end()),
                         test::name_of_model);

// The model card of DeepSeek-V3: 671,026,419,200 parameters without the module that predicts a second token;
// the catalog has no correction biases, 256 in each of 58 routers.
TEST(Parameters, OfDeepSeekV3AreExact) {
  EXPECT_EQ(parameters_of(shape_of("deepseek-v3")).total, 671026419200 - 58 * 256);
}

// arXiv:2412.19437, section 4.2, by hand: 7168 (1536 + 576) + 1536 * 128 * 192 + 512 * 128 * 256 = 69,664,768
// multiply-adds a token; output 128 * 128 * 7168.
TEST(LayerFlops, OfLatentProjectionsAreLowRank) {
  Work work;
  work.sequence_length = 100;
  work.batch_size = 1;
  const LayerFlops flops = layer_flops(shape_of("deepseek-v3"), work, LayerKind::dense);
  EXPECT_EQ(flops.query_key_value, 100 * 2 * 69664768.0);
  EXPECT_EQ(flops.attention_output, 100 * 2 * 16384 * 7168.0);
  EXPECT_EQ(flops.attention_core, 100 * 2 * 100 * 128 * (192 + 128));
  EXPECT_EQ(flops.mlp, 100 * 2 * 3 * 7168.0 * 18432);
}

// Element by element, one token, two ranks with sequence parallelism: what every product reads, what the core
// reads, the latents before their norms.
TEST(Activations, OfLatentAttentionKeepTheLatents) {
  Work work;
  work.sequence_length = 1;
  work.batch_size = 1;
  work.recompute = Recompute::selective;
  work.dropout = false;
  work = completed(work);
  const ModelShape shape = shape_of("deepseek-v3");
  const LayerActivations kept = layer_activations(shape, work, {2, true, 1}, LayerKind::moe);
  const double core = 64 * (192 + 192 + 128);
  const double norm = 7168 / 2;
  EXPECT_EQ(kept.of(Sublayer::attention), 2 * (norm + 7168 / 2 + 2 * (1536 + 512) / 2 + core + 64 * 128));
  // Router and shared expert read one input; eight visited experts have copies; gate, up and their product.
  EXPECT_EQ(kept.of(Sublayer::mlp), 2 * (norm + (1 + 8) * 7168 / 2 + 9 * 3 * 1024));
  // Without sequence parallelism every rank keeps whole inputs.
  const LayerActivations whole = layer_activations(shape, work, {2, false, 1}, LayerKind::moe);
  EXPECT_EQ(whole.of(Sublayer::attention), 2 * (7168 + 7168 + 2 * (1536 + 512) + core + 64 * 128));
  EXPECT_EQ(whole.of(Sublayer::mlp), 2 * (7168 + (1 + 8) * 7168 + 9 * 3 * 1024));
}

}  // namespace
}  // namespace commcost
