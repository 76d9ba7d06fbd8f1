#include "core/logs/model_config.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "core/model/catalog.h"
#include "core/model/parameters.h"
#include "support/csv.h"

namespace commcost {
namespace {

std::string text_of_file(const std::string& path) {
  std::ifstream file(path);
  EXPECT_TRUE(file) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<test::CsvRow> published() {
  return test::read_csv(test::data_file("model_configs/sources.csv"));
}

std::vector<std::string> refusals(std::string_view json) {
  std::vector<std::string> all;
  const Outcome<ModelConfig> read = read_model_config(json);
  if (read) return all;
  for (const Problem& problem : read.problems()) {
    EXPECT_EQ(problem.field, "config");
    all.push_back(problem.message);
  }
  return all;
}

// Two ways to one shape: the configuration, and the catalog's row, which was read elsewhere.
TEST(ModelConfig, PublishedOnesAreTheCatalogsShapes) {
  ASSERT_EQ(published().size(), 13u);
  for (const test::CsvRow& row : published()) {
    SCOPED_TRACE(row.at("file"));
    const Outcome<ModelConfig> read =
        read_model_config(text_of_file(test::data_file("model_configs/" + row.at("file"))));
    ASSERT_TRUE(read) << read.problems().front().message;
    EXPECT_NEAR(parameters_of(read->shape).total * 1e-9, row.number("published_params_billion"),
                0.01 * row.number("published_params_billion"));
    if (row.at("model").empty()) continue;
    const ModelRow* known = find_model(row.at("model"));
    ASSERT_NE(known, nullptr);
    EXPECT_EQ(read->shape, completed(known->shape));
  }
}

TEST(ModelConfig, WhatAShapeLeavesOutIsSaid) {
  const auto remarks = [](const char* file) {
    const Outcome<ModelConfig> read = read_model_config(text_of_file(test::data_file(file)));
    std::string keys;
    for (const ConfigRemark& remark : read->remarks) keys += remark.key + " ";
    return keys;
  };
  EXPECT_EQ(remarks("model_configs/deepseek-v3.json"), "num_nextn_predict_layers ");
  EXPECT_EQ(remarks("model_configs/gemma-2-9b.json"), "sliding_window ");
  EXPECT_EQ(remarks("model_configs/qwen2-7b.json"), "");
}

TEST(ModelConfig, TheTextPartOfAModelThatSees) {
  const Outcome<ModelConfig> read = read_model_config(
      R"({"model_type": "mistral3", "vision_config": {"hidden_size": 1}, "text_config": {"model_type": "mistral",
 "num_hidden_layers": 40, "hidden_size": 5120, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128,
 "intermediate_size": 32768, "vocab_size": 131072}})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->shape, completed(find_model("mistral-small-24b")->shape));
  ASSERT_EQ(read->remarks.size(), 1u);
  EXPECT_EQ(read->remarks[0].key, "text_config");
}

TEST(ModelConfig, NamesEveryProblem) {
  EXPECT_EQ(refusals("{}"), std::vector<std::string>{"config.json: model_type is missing"});
  EXPECT_EQ(refusals(R"({"model_type": "mamba"})").front().substr(0, 51),
            "config.json: model_type \"mamba\" is not known; known");
  EXPECT_EQ(
      refusals(
          R"({"model_type": "llama", "hidden_size": 12.5, "num_attention_heads": "32", "intermediate_size": 0,
 "vocab_size": 1e30, "tie_word_embeddings": 1})"),
      (std::vector<std::string>{
          "config.json: num_hidden_layers is missing",
          "config.json: hidden_size must be a whole number of at least 1; got 12.5",
          "config.json: vocab_size must be a whole number of at least 1; got 1e30",
          "config.json: tie_word_embeddings must be true or false; got 1",
          "config.json: num_attention_heads must be a whole number of at least 1; got \"32\"",
          "config.json: intermediate_size must be a whole number of at least 1; got 0"}));
}

TEST(ModelConfig, RefusesWhatIsNoShape) {
  const std::string moe =
      R"({"model_type": "qwen3_moe", "num_hidden_layers": 4, "hidden_size": 64, "num_attention_heads": 4,
 "intermediate_size": 64, "moe_intermediate_size": 16, "num_experts": 8, "num_experts_per_tok": 2, "vocab_size": 100)";
  EXPECT_TRUE(refusals(moe + "}").empty());
  EXPECT_EQ(refusals(moe + R"(, "decoder_sparse_step": 2})").size(), 1u);
  EXPECT_EQ(refusals(moe + R"(, "mlp_only_layers": [1]})").size(), 1u);
  EXPECT_EQ(refusals(moe + R"(, "shared_expert_intermediate_size": 24})").size(), 1u);
  EXPECT_EQ(refusals(moe + R"(, "num_experts_per_tok": 9})").size(), 1u);
  EXPECT_EQ(refusals(moe + R"(, "num_key_value_heads": 3})").size(), 1u);
  // A head's size is the hidden size over the heads, unless it is given.
  EXPECT_EQ(refusals(moe + R"(, "hidden_size": 66})").size(), 1u);
  EXPECT_TRUE(refusals(moe + R"(, "hidden_size": 66, "head_dim": 16})").empty());
}

// Cut off anywhere, or with any letter changed, it is refused or read, and nothing else happens.
TEST(ModelConfig, SurvivesWhateverIsPasted) {
  const std::string whole = text_of_file(test::data_file("model_configs/deepseek-v3.json"));
  for (std::size_t length = 0; length + 2 < whole.size(); ++length)
    EXPECT_FALSE(read_model_config(std::string_view(whole).substr(0, length))) << length;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char other : {'"', '{', '9', '-', '\0', '\xff'}) {
      std::string changed = whole;
      changed[at] = other;
      const Outcome<ModelConfig> read = read_model_config(changed);
      EXPECT_TRUE(read || !read.problems().empty());
    }
  }
}

}  // namespace
}  // namespace commcost
