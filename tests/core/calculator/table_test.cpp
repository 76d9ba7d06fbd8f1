// What holds for every calculation of the table; a new one is tested here without a line.

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"
#include "support/names.h"
#include "support/print_calculation.h"
#include "support/random_inputs.h"
#include "support/typical_inputs.h"

namespace commcost {
namespace {

class EveryCalculation : public testing::TestWithParam<const Calculation*> {
 protected:
  const Calculation& calculation() const { return *GetParam(); }

  template <class Look>
  void for_each_field(const Look& look) const {
    for (const FieldGroup& group : calculation().inputs) {
      for (const InputField& input : group.fields) look(input.field);
    }
  }
};

std::string messages(const Problems& problems) {
  std::string text;
  for (const Problem& problem : problems) text += problem.message + "\n";
  return text;
}

void expect_described(std::span<const ResultField> fields) {
  std::set<std::string_view> names;
  for (const ResultField& field : fields) {
    EXPECT_TRUE(test::is_snake_case(field.name)) << field.name;
    EXPECT_TRUE(names.insert(field.name).second) << field.name << " twice";
    EXPECT_FALSE(field.help.empty()) << field.name;
    EXPECT_EQ(field.help.find('\n'), std::string_view::npos) << field.name;
    expect_described(field.columns);
  }
}

void expect_kind(const ResultField& field, const Value& value);

// A list of rows, or of lists of rows, has columns, each of which every row has.
void expect_rows(const ResultField& field, const Value& value) {
  ASSERT_NE(value.list(), nullptr) << field.name;
  for (const Value& row : *value.list()) {
    if (row.list() != nullptr) {
      expect_rows(field, row);
      continue;
    }
    for (const ResultField& column : field.columns) {
      const Value* cell = row.find(column.name);
      ASSERT_NE(cell, nullptr) << column.name;
      expect_kind(column, *cell);
    }
  }
}

void expect_kind(const ResultField& field, const Value& value) {
  switch (field.kind) {
    case FieldKind::whole:
      ASSERT_NE(value.number(), nullptr) << field.name;
      EXPECT_EQ(*value.number(), std::trunc(*value.number())) << field.name;
      break;
    case FieldKind::real:
      if (field.may_be_missing && value.empty()) break;
      ASSERT_NE(value.number(), nullptr) << field.name;
      EXPECT_TRUE(std::isfinite(*value.number())) << field.name << " is " << *value.number();
      break;
    case FieldKind::choice:
    case FieldKind::text:
      EXPECT_NE(value.text(), nullptr) << field.name;
      break;
    case FieldKind::flag:
      EXPECT_NE(value.flag(), nullptr) << field.name;
      break;
    case FieldKind::numbers:
      EXPECT_NE(value.numbers(), nullptr) << field.name;
      break;
    case FieldKind::list:
      expect_rows(field, value);
      break;
    case FieldKind::lists:
      ASSERT_NE(value.list(), nullptr) << field.name;
      for (const Value& row : *value.list())
        if (row.numbers() == nullptr) expect_rows(field, row);
      break;
    case FieldKind::object:
      break;
  }
}

TEST_P(EveryCalculation, HasANameHelpAndResults) {
  EXPECT_TRUE(test::is_snake_case(calculation().name));
  EXPECT_FALSE(calculation().help.empty());
  EXPECT_FALSE(calculation().results.empty());
  EXPECT_EQ(find_calculation(calculation().name), &calculation());
  expect_described(calculation().results);
}

TEST_P(EveryCalculation, HasInputsThatAreNamedAndExplained) {
  std::set<std::string_view> names;
  std::set<std::string> labels;
  for_each_field([&](const Field& field) {
    EXPECT_TRUE(test::is_snake_case(field.name)) << field.name;
    EXPECT_TRUE(names.insert(field.name).second) << field.name << " twice";
    EXPECT_FALSE(field.help.empty()) << field.name;
    EXPECT_EQ(field.help.find('\n'), std::string_view::npos) << field.name;
    EXPECT_LE(field.least, field.greatest) << field.name;
    const std::string label = label_of(field.name, field.label);
    EXPECT_EQ(label.find('_'), std::string::npos) << label;
    EXPECT_LE(label.size(), 36u) << label;
    EXPECT_TRUE(std::isupper(static_cast<unsigned char>(label[0])) != 0 ||
                std::isdigit(static_cast<unsigned char>(label[0])) != 0)
        << label;
    EXPECT_TRUE(labels.insert(label).second) << label << " twice";
    if (field.kind == FieldKind::choice) {
      EXPECT_FALSE(field.choices.empty()) << field.name;
      EXPECT_EQ(std::set<std::string_view>(field.choices.begin(), field.choices.end()).size(),
                field.choices.size());
    }
  });
}

TEST_P(EveryCalculation, HasDefaultsThatItsOwnChecksAccept) {
  for_each_field([](const Field& field) {
    if (field.required || std::isnan(field.default_value)) return;
    const bool number = field.kind == FieldKind::whole || field.kind == FieldKind::real;
    if (number) {
      EXPECT_TRUE(check(field, field.default_value)) << field.name;
    } else if (field.kind == FieldKind::choice) {
      EXPECT_LT(field.default_value, field.choices.size()) << field.name;
    }
  });
}

// Where this fails for a new calculation, tests/support/typical_inputs.cpp lacks a usual value.
TEST_P(EveryCalculation, AnswersTypicalInputsWithTheResultsOfItsTable) {
  const auto results = run(calculation().name, test::typical_inputs(calculation()));
  ASSERT_TRUE(results) << messages(results.problems());
  ASSERT_EQ(results->object()->size(), calculation().results.size());
  for (const ResultField& field : calculation().results) {
    const Value* value = results->find(field.name);
    ASSERT_NE(value, nullptr) << field.name;
    expect_kind(field, *value);
  }
}

TEST_P(EveryCalculation, RefusesAnInputThatIsMissingOrOneTooMany) {
  for_each_field([&](const Field& field) {
    if (!field.required) return;
    Value::Object inputs = test::typical_inputs(calculation());
    std::erase_if(inputs, [&](const Member& member) { return member.name == field.name; });
    const auto results = run(calculation().name, inputs);
    ASSERT_FALSE(results) << field.name;
    EXPECT_EQ(results.problems().front().field, field.name);
    EXPECT_EQ(results.problems().front().code, ProblemCode::missing);
  });
  Value::Object inputs = test::typical_inputs(calculation());
  inputs.push_back({"unheard_of", 1});
  const auto results = run(calculation().name, inputs);
  ASSERT_FALSE(results);
  EXPECT_EQ(results.problems().front().code, ProblemCode::unknown_field);
}

// How often it is called with random inputs. Some search or play loads again and again for one answer, with
// what others are called for as well; some tell millions of messages.
int calls_of(const Calculation& calculation) {
  if (calculation.inputs.empty()) return 1;
  constexpr std::string_view slow[] = {"plan_scaling", "plan_goodput", "fit_serving"};
  constexpr std::string_view long_answers[] = {"collective_schedule", "collective_timeline"};
  const auto is_in = [&](const auto& names) {
    return std::find(std::begin(names), std::end(names), calculation.name) != std::end(names);
  };
  return is_in(long_answers) ? 20 : is_in(slow) ? 60 : 300;
}

// A calculation that fails here turns inputs that its table allows into infinities or NaN.
TEST_P(EveryCalculation, GivesFiniteResultsOrProblemsForRandomInputs) {
  test::Random random(5);
  const int calls = calls_of(calculation());
  for (int i = 0; i < calls; ++i) {
    const Value inputs = test::random_inputs(calculation(), random);
    const auto results = run(calculation().name, inputs);
    if (!results) {
      ASSERT_FALSE(results.problems().empty());
      continue;
    }
    for (const ResultField& field : calculation().results) {
      ASSERT_NO_FATAL_FAILURE(expect_kind(field, *results->find(field.name)));
    }
  }
}

TEST_P(EveryCalculation, IsSweptPointByPointAsItIsRun) {
  if (calculation().sweep_points == 0) return;
  test::Random random(6);
  for_each_field([&](const Field& field) {
    if (field.kind != FieldKind::whole && field.kind != FieldKind::real) return;
    Value::Numbers values;
    while (values.size() < 5) {
      const Value value = test::random_value(field, random);
      if (check(field, value)) values.push_back(*value.number());
    }
    Value::Object inputs = test::typical_inputs(calculation());
    const auto swept =
        sweep(Value::Object{{"calculation", calculation().name},
                            {"inputs", inputs},
                            {"axes", Value::List{Value::Object{{"field", field.name}, {"values", values}}}}});
    std::size_t refused = 0;
    for (std::size_t point = 0; point < values.size(); ++point) {
      for (Member& member : inputs) {
        if (member.name == field.name) member.value = values[point];
      }
      const auto alone = run(calculation().name, inputs);
      if (!alone) ++refused;
      ASSERT_TRUE(swept) << field.name << ": " << messages(swept.problems());
      for (const Member& column : *swept->find("results")->object()) {
        const double number = (*column.value.numbers())[point];
        if (alone) {
          EXPECT_EQ(number, *alone->find(column.name)->number()) << field.name << " " << column.name;
        } else {
          EXPECT_TRUE(std::isnan(number)) << field.name << " " << column.name;
        }
      }
    }
    EXPECT_EQ(*swept->find("refused")->number(), static_cast<double>(refused)) << field.name;
  });
}

INSTANTIATE_TEST_SUITE_P(Table, EveryCalculation,
                         testing::ValuesIn(all_calculations().begin(), all_calculations().end()),
                         [](const auto& test) { return std::string(test.param->name); });

TEST(Table, PutsIntoTheFirstPartWhatThePageAsksFirst) {
  for (const Calculation* calculation : all_calculations()) {
    const bool first = calculation == &calculations::tensor_parallel_allreduce_cost ||
                       (calculation->name.ends_with("_catalog") &&
                        // The ring's, which comes with it.
                        calculation != &calculations::collective_catalog);
    EXPECT_EQ(part_of(*calculation) == ModulePart::first, first) << calculation->name;
  }
}

TEST(Table, PutsIntoPartsOfTheirOwnWhatAPageIsAskedFirst) {
  std::map<ModulePart, std::set<std::string_view>> names;
  for (const Calculation* calculation : all_calculations())
    names[part_of(*calculation)].insert(calculation->name);
  using Names = std::set<std::string_view>;
  EXPECT_EQ(names[ModulePart::network], Names{"predict_collective"});
  EXPECT_EQ(names[ModulePart::measured], Names{"measurements"});
  EXPECT_EQ(names[ModulePart::schedule], Names{"collective_schedule"});
  EXPECT_EQ(names[ModulePart::rounds],
            (Names{"collective_catalog", "collective_cost", "collective_crossovers", "collective_timeline"}));
  EXPECT_EQ(names[ModulePart::practice], (Names{"check_answers", "draw_exercise", "pose_exercise"}));
  EXPECT_EQ(names[ModulePart::layer], Names{"layer_timeline"});
  EXPECT_EQ(names[ModulePart::sizes], Names{"model_sizes"});
  EXPECT_EQ(names[ModulePart::serving], (Names{"plan_serving", "serving_step"}));
  EXPECT_EQ(names[ModulePart::training], (Names{"plan", "training_step"}));
  EXPECT_EQ(names[ModulePart::scaling], Names{"plan_scaling"});
  EXPECT_EQ(names[ModulePart::overlap], Names{"overlap_ratio"});
}

TEST(Table, HasNoNameTwice) {
  std::set<std::string_view> names;
  for (const Calculation* calculation : all_calculations()) {
    EXPECT_TRUE(names.insert(calculation->name).second) << calculation->name;
  }
}

}  // namespace
}  // namespace commcost
