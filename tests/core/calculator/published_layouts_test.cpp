// Layouts that were published for trainings that ran, pinned, against the best that the same plan finds
// freely: a row of tests/data/published_layouts.csv says which are ties, and why others are not.

#include <gtest/gtest.h>

#include <optional>
#include <sstream>
#include <string>

#include "core/base/number_text.h"
#include "core/calculator/engine.h"
#include "core/plan/ties.h"
#include "support/csv.h"

namespace commcost {
namespace {

Value as_value(const std::string& text) {
  if (text == "true" || text == "false") return text == "true";
  const std::optional<double> number = parse_number(text);
  return number ? Value(*number) : Value(text);
}

// "tensor_parallel=8 recompute=full", behind what is given already.
Value::Object with_spelled(Value::Object inputs, const std::string& texts) {
  std::istringstream in(texts);
  for (std::string pair; in >> pair;) {
    const std::size_t at = pair.find('=');
    inputs.push_back({pair.substr(0, at), as_value(pair.substr(at + 1))});
  }
  return inputs;
}

double best_ms(const Value::Object& inputs) {
  const Outcome<Value> found = run("plan", inputs);
  if (!found) {
    ADD_FAILURE() << found.problems().front().message;
    return 0;
  }
  const Value::List& fastest = *found->find("fastest")->list();
  EXPECT_FALSE(fastest.empty());
  return fastest.empty() ? 0 : *fastest.front().find("step_time_ms")->number();
}

TEST(PublishedLayouts, AreTiesOrSayWhatIsMissing) {
  int rows = 0;
  for (const test::CsvRow& row : test::read_csv(test::data_file("published_layouts.csv"))) {
    ++rows;
    const Value::Object job = with_spelled({}, row.at("inputs"));
    const double free = best_ms(job);
    const double published = best_ms(with_spelled(job, row.at("pins")));
    EXPECT_LE(free, published) << row.at("training");
    const bool tie = row.at("verdict") == "tie";
    EXPECT_EQ(are_a_tie(free, published), tie) << row.at("training") << ": " << published / free;
    EXPECT_EQ(row.at("missing").empty(), tie) << row.at("training");
  }
  EXPECT_GE(rows, 10);
}

// A value as an input is written.
std::string spelled(const Value& value) {
  if (value.flag()) return *value.flag() ? "true" : "false";
  return value.number() ? text_of(*value.number()) : *value.text();
}

TEST(PlannedLayouts, AreThoseThatWereJudged) {
  int rows = 0;
  for (const test::CsvRow& row : test::read_csv(test::data_file("planned_layouts.csv"))) {
    ++rows;
    const Value::Object job = with_spelled({}, row.at("inputs"));
    const Outcome<Value> found = run("plan", job);
    ASSERT_TRUE(found) << row.at("training");
    const Value& first = found->find("layouts")->list()->front();
    for (const auto& [field, value] : with_spelled({}, row.at("after")))
      EXPECT_EQ(spelled(*first.find(field)), spelled(value)) << row.at("training") << ' ' << field;
    const Outcome<Value> before = run("training_step", with_spelled(job, row.at("before")));
    ASSERT_TRUE(before) << row.at("training");
    EXPECT_EQ(before->find("stack_rule")->text()->empty(), row.at("before_starts") == "yes")
        << row.at("training");
  }
  EXPECT_EQ(rows, 10);
}

}  // namespace
}  // namespace commcost
