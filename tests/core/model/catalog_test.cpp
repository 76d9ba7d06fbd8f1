#include "core/model/catalog.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <tuple>

namespace commcost {
namespace {

TEST(ModelCatalog, NamesEveryModelOnceWithASource) {
  std::set<std::string_view> ids;
  std::set<std::string> names;
  for (const ModelRow& model : all_models()) {
    EXPECT_TRUE(ids.insert(model.id).second) << model.id;
    EXPECT_FALSE(model.source.empty()) << model.id;
    EXPECT_EQ(find_model(model.id), &model);
    std::istringstream hub(std::string{model.hub_ids});
    for (std::string name; hub >> name;) {
      EXPECT_NE(name.find('/'), std::string::npos) << name;
      EXPECT_TRUE(names.insert(name).second) << name;
    }
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
    EXPECT_GE(model.context_length, 512) << model.id;  // BERT's
  }
}

// The shapes of seed talks and papers that the ledger is compared with (arXiv:2104.04473, table 1).
TEST(ModelCatalog, HoldsMegatronsSizes) {
  for (const auto& [id, layers, hidden, heads] :
       {std::tuple{"megatron-1.7b", 24, 2304, 24}, std::tuple{"megatron-3.6b", 30, 3072, 32},
        std::tuple{"megatron-7.5b", 36, 4096, 32}, std::tuple{"megatron-18.4b", 40, 6144, 48}}) {
    const ModelRow* model = find_model(id);
    ASSERT_NE(model, nullptr) << id;
    EXPECT_EQ(model->shape.num_layers, layers) << id;
    EXPECT_EQ(model->shape.hidden_size, hidden) << id;
    EXPECT_EQ(model->shape.num_heads, heads) << id;
  }
}

}  // namespace
}  // namespace commcost
