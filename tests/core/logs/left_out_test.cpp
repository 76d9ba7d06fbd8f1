#include "core/logs/left_out.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "core/logs/model_config.h"
#include "support/csv.h"

namespace commcost {
namespace {

// What a configuration's remarks say, their short forms say again.
TEST(LeftOut, SaysAgainWhatAConfigurationSaid) {
  int remarks = 0;
  for (const test::CsvRow& row : test::read_csv(test::data_file("model_configs/sources.csv"))) {
    SCOPED_TRACE(row.at("file"));
    std::ifstream file(test::data_file("model_configs/" + row.at("file")));
    const std::string json{std::istreambuf_iterator<char>(file), {}};
    const Outcome<ModelConfig> read = read_model_config(json);
    ASSERT_TRUE(read);
    std::string codes;
    std::vector<std::string> said;
    for (const ConfigRemark& remark : read->remarks) {
      if (remark.left_out.empty()) continue;
      codes += (codes.empty() ? "" : ",") + remark.left_out;
      said.push_back(remark.says);
    }
    const auto again = left_out_of("left_out", codes);
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, said);
    remarks += static_cast<int>(said.size());
  }
  EXPECT_GE(remarks, 25);
}

TEST(LeftOut, PutsItsNumbersIntoASentence) {
  EXPECT_EQ(
      left_out_of("left_out", "linear_attention.36.48,output_gate").value(),
      (std::vector<std::string>{"36 of 48 layers have linear attention; they are counted as full attention",
                                "the gate of the attention's output is left out"}));
  EXPECT_TRUE(left_out_of("left_out", "").value().empty());
}

// A link may say anything: no sentence of its own gets onto the page.
TEST(LeftOut, NamesEachThatIsNone) {
  for (const char* text : {"nonsense", "linear_attention", "linear_attention.36", "linear_attention.36.48.2",
                           "linear_attention.36.", "linear_attention.3x.48", "linear_attention..48",
                           "linear_attention.1234567890123.48", "output_gate.1", ".", ",", "window.-1.2"}) {
    const auto read = left_out_of("left_out", text);
    ASSERT_FALSE(read) << text;
  }
  const auto read = left_out_of("left_out", "nonsense,output_gate,window.1");
  ASSERT_FALSE(read);
  ASSERT_EQ(read.problems().size(), 2u);
  EXPECT_EQ(read.problems()[0].field, "left_out");
  EXPECT_EQ(read.problems()[0].message, "left_out must be as read_model_config gives it; got nonsense");
}

}  // namespace
}  // namespace commcost
