#include "core/model/parameters.h"

#include <gtest/gtest.h>

#include "core/model/catalog.h"
#include "support/jobs.h"
#include "support/models.h"

namespace commcost {
namespace {

using test::classic_shape;

class CatalogModel : public testing::TestWithParam<ModelRow> {};

TEST_P(CatalogModel, HasItsPublishedNumberOfParameters) {
  const ModelRow& model = GetParam();
  const double counted = parameters_of(completed(model.shape)).total;
  EXPECT_NEAR(counted / (model.published_params_billion * 1e9), 1, model.published_tolerance);
}

TEST_P(CatalogModel, IsTheSumOfItsParts) {
  const ModelShape shape = completed(GetParam().shape);
  const Parameters count = parameters_of(shape);
  double sum = count.embedding + count.positions + count.final_norm + count.lm_head;
  for (std::int64_t layer = 0; layer < shape.num_layers; ++layer) {
    sum += layer_parameters(count, shape,
                            layer < shape.num_dense_layers ? LayerKind::dense : usual_layer(shape));
  }
  EXPECT_EQ(count.total, sum);
  EXPECT_LE(count.active, count.total);
  EXPECT_EQ(count.active == count.total, !has_experts(shape));
}

INSTANTIATE_TEST_SUITE_P(All, CatalogModel, testing::ValuesIn(all_models().begin(), all_models().end()),
                         test::name_of_model);

// arXiv:2104.04473, equation 2: P = 12 l h^2 (1 + 13/12h + (V + s)/12lh).
TEST(Parameters, FollowTheClassicFormula) {
  ModelShape shape = classic_shape(96, 12288, 96, 51200);
  shape.num_positions = 2048;
  const double l = 96, h = 12288, v = 51200, s = 2048;
  const double formula = 12 * l * h * h * (1 + 13 / (12 * h) + (v + s) / (12 * l * h));
  // The formula leaves out the final norm, 2 h.
  EXPECT_NEAR(parameters_of(shape).total - 2 * h, formula, 1);
}

TEST(Parameters, MatchNarayanansTable) {
  for (const test::CsvRow& row : test::read_csv(test::data_file("narayanan_table1.csv"))) {
    ModelShape shape = classic_shape(test::whole(row, "num_layers"), test::whole(row, "hidden_size"),
                                     test::whole(row, "num_heads"), 51200);
    shape.num_positions = 2048;
    // Within what the printed digits allow.
    const double printed = row.number("params_billion");
    const double half_a_digit = printed < 1000 ? 0.05 : 0.5;
    EXPECT_NEAR(parameters_of(shape).total / 1e9, printed, half_a_digit) << row.line();
  }
}

// Ultra-Scale Playbook, A2: 16 h^2 a layer with a gate of four hidden sizes, 12 h^2 without.
TEST(Parameters, OfALayerFollowThePlaybooksRuleOfThumb) {
  ModelShape shape = classic_shape(1, 4096, 32);
  shape.biases = false;
  const double square = 4096.0 * 4096.0;
  EXPECT_EQ(parameters_of(shape).attention, 4 * square);
  EXPECT_EQ(parameters_of(shape).mlp, 8 * square);
  shape.gated_mlp = true;
  EXPECT_EQ(parameters_of(shape).mlp, 12 * square);
}

// arXiv:2412.19437, section 4.2: 671B parameters, 37B of them active.
TEST(Parameters, OfLatentAttentionWithExperts) {
  const Parameters count = parameters_of(completed(find_model("deepseek-v3")->shape));
  EXPECT_NEAR(count.total, 671e9, 0.1e9);
  EXPECT_NEAR(count.active, 37e9, 0.6e9);
}

TEST(Parameters, TyingSavesTheHead) {
  ModelShape shape = classic_shape(2, 64, 4, 1000);
  const double tied = parameters_of(shape).total;
  shape.tied_embeddings = false;
  EXPECT_EQ(parameters_of(shape).total - tied, 64000);
}

}  // namespace
}  // namespace commcost
