#include "core/model/catalog.h"

#include <gtest/gtest.h>

#include <set>

namespace commcost {
namespace {

TEST(ModelCatalog, NamesEveryModelOnceWithASource) {
  std::set<std::string_view> ids;
  for (const ModelRow& model : all_models()) {
    EXPECT_TRUE(ids.insert(model.id).second) << model.id;
    EXPECT_FALSE(model.source.empty()) << model.id;
    EXPECT_EQ(find_model(model.id), &model);
  }
  EXPECT_GE(ids.size(), 40u);
  EXPECT_EQ(find_model("no such model"), nullptr);
}

TEST(ModelCatalog, HoldsShapesThatCanBe) {
  for (const ModelRow& model : all_models()) {
    const ModelShape& shape = model.shape;
    EXPECT_EQ(shape.num_heads % shape.num_kv_heads, 0) << model.id;
    EXPECT_LE(shape.experts_per_token, shape.num_experts) << model.id;
    EXPECT_LT(shape.num_dense_layers, shape.num_layers) << model.id;
    EXPECT_GE(model.context_length, 1024) << model.id;
  }
}

}  // namespace
}  // namespace commcost
