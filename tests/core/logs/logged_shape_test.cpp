#include "core/logs/logged_shape.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace commcost {
namespace {

using Arguments = std::vector<std::pair<std::string, std::string>>;

std::optional<ModelShape> shape_of(const Arguments& arguments) {
  LoggedShape shape;
  double number = 0;
  shape.read("---- arguments ----", ++number);
  for (const auto& [key, value] : arguments) shape.read("  " + key + " ...... " + value, ++number);
  shape.read("---- end of arguments ----", ++number);
  return shape.shape();
}

// All that a model needs, each of the least that there is.
Arguments least() {
  return {{"num_layers", "1"}, {"hidden_size", "1"}, {"num_attention_heads", "1"}, {"ffn_hidden_size", "1"}};
}

Arguments with(Arguments arguments, const std::string& key, const std::string& value) {
  for (auto& [known, said] : arguments) {
    if (known != key) continue;
    said = value;
    return arguments;
  }
  arguments.emplace_back(key, value);
  return arguments;
}

TEST(LoggedShape, MayBeOfTheLeastOfEverything) {
  const auto shape = shape_of(least());
  ASSERT_TRUE(shape);
  EXPECT_EQ(shape->num_layers, 1);
  EXPECT_EQ(shape->hidden_size, 1);
  EXPECT_EQ(shape->num_heads, 1);
  EXPECT_EQ(shape->ffn_hidden_size, 1);
}

TEST(LoggedShape, IsNoneWithoutAPartThatEveryModelHas) {
  for (const char* key : {"num_layers", "hidden_size", "num_attention_heads"})
    for (const char* said : {"None", "0", "1.5", "1000000001"})
      EXPECT_FALSE(shape_of(with(least(), key, said))) << key << ' ' << said;
  EXPECT_TRUE(shape_of(with(least(), "hidden_size", "1000000000")));
}

TEST(LoggedShape, HasExpertsOfTheirOwnWidthFromTwoOn) {
  Arguments experts = with(with(least(), "moe_ffn_hidden_size", "1"), "moe_router_topk", "2");
  experts = with(experts, "ffn_hidden_size", "3");
  const auto dense = shape_of(with(experts, "num_experts", "1"));
  ASSERT_TRUE(dense);
  EXPECT_EQ(dense->ffn_hidden_size, 3);
  EXPECT_EQ(dense->experts_per_token, 1);
  const auto sparse = shape_of(with(experts, "num_experts", "2"));
  ASSERT_TRUE(sparse);
  EXPECT_EQ(sparse->ffn_hidden_size, 1);
  EXPECT_EQ(sparse->experts_per_token, 2);
}

TEST(LoggedShape, SharesExpertsOfWholeWidths) {
  const Arguments experts = with(with(least(), "num_experts", "2"), "ffn_hidden_size", "2");
  const std::string shared = "moe_shared_expert_intermediate_size";
  EXPECT_EQ(shape_of(with(experts, shared, "4"))->num_shared_experts, 2);
  EXPECT_FALSE(shape_of(with(experts, shared, "3")));
  EXPECT_EQ(shape_of(with(with(experts, "ffn_hidden_size", "1"), shared, "1"))->num_shared_experts, 1);
  EXPECT_FALSE(shape_of(with(with(experts, "ffn_hidden_size", "None"), shared, "1")));
}

}  // namespace
}  // namespace commcost
