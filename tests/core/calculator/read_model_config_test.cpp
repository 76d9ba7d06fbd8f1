// Which model of the catalog a configuration is taken for.

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "core/calculator/engine.h"
#include "core/model/catalog.h"
#include "support/csv.h"

namespace commcost {
namespace {

Outcome<Value> read_file(const std::string& name) {
  std::ifstream file(test::data_file("model_configs/" + name));
  std::ostringstream text;
  text << file.rdbuf();
  Value::Object inputs;
  inputs.push_back({"config", Value(text.str())});
  return run("read_model_config", inputs);
}

std::string says(const Value& read) {
  std::string all;
  for (const Value& remark : *read.find("remarks")->list()) all += *remark.find("says")->text() + "\n";
  return all;
}

TEST(ReadModelConfig, OpensAsItsOwnModelOrSaysWhoElseHasTheSame) {
  int opened = 0;
  for (const test::CsvRow& row : test::read_csv(test::data_file("model_configs/sources.csv"))) {
    const std::string& model = row.at("model");
    if (model.empty()) continue;
    SCOPED_TRACE(row.at("file"));
    ++opened;
    const Outcome<Value> read = read_file(row.at("file"));
    ASSERT_TRUE(read) << read.problems().front().message;
    const std::string name(find_model(model)->name);
    if (*read->find("model")->text() != model) {
      EXPECT_NE(says(*read).find(name), std::string::npos) << *read->find("model")->text();
    }
  }
  EXPECT_GE(opened, 40);
}

// One shape, apart by model_type alone.
TEST(ReadModelConfig, TellsModelsOfOneShapeApart) {
  const auto model = [](const char* file) { return *read_file(file)->find("model")->text(); };
  EXPECT_EQ(model("deepseek-v3.json"), "deepseek-v3");
  EXPECT_EQ(model("deepseek-v3.2.json"), "deepseek-v3.2");
  EXPECT_EQ(model("kimi-k2.json"), "kimi-k2");
  EXPECT_EQ(model("kimi-k2-thinking.json"), "kimi-k2-thinking");
  EXPECT_EQ(model("kimi-k2.5.json"), "kimi-k2.5");
  EXPECT_NE(says(*read_file("glm-4.7.json")).find("GLM-4.6 and GLM-4.7 have this configuration"),
            std::string::npos);
  EXPECT_EQ(says(*read_file("mixtral-8x7b.json")), "");
}

}  // namespace
}  // namespace commcost
