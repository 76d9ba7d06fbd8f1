// A result that is not finite is a problem, whichever calculation forgets to say so.
#include <gtest/gtest.h>

#include <cmath>

#include "core/calculator/engine.h"

namespace commcost {
namespace finite_test {

struct Inputs {
  double divisor = 1;
};

struct Row {
  double share = 0;
};

struct Results {
  double divisor = 0;
  double quotient = 0;
  std::vector<Row> rows;
};

Outcome<Results> divide(const Inputs& inputs) {
  return Results{inputs.divisor, 1 / inputs.divisor, {{0.5}, {0 * (1 / inputs.divisor)}}};
}

constexpr InputField input_fields[] = {real<&Inputs::divisor>(-1, 10, "What to divide by")};
constexpr FieldGroup groups[] = {group<Inputs>(input_fields)};
constexpr ResultField row_columns[] = {result<&Row::share>("Of the quotient")};
constexpr ResultField numbers_alone[] = {result<&Results::divisor>("As given"),
                                         result<&Results::quotient>("One by it")};
constexpr ResultField with_rows[] = {result<&Results::divisor>("As given"),
                                     rows_result<&Results::rows>(row_columns, "Shares")};

const Calculation division = calculation<Inputs, Results, divide, numbers_alone>("division", "", groups);
const Calculation shares = calculation<Inputs, Results, divide, with_rows>("shares", "", groups);

Problems problems_of(const Calculation& calculation, double divisor) {
  WireBytes given;
  WireWriter(given).value(Value::Object{{"divisor", divisor}});
  WireBytes results;
  WireWriter to(results);
  return run(calculation, WireReader(given), to);
}

TEST(Finite, ARunsResultsAreOrTheFirstThatIsNotIsTheProblem) {
  EXPECT_TRUE(problems_of(division, 4).empty());
  const Problems problems = problems_of(division, 0);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].field, "quotient");
  EXPECT_EQ(problems[0].code, ProblemCode::overflow);
}

TEST(Finite, SoAreTheRowsOfARun) {
  EXPECT_TRUE(problems_of(shares, 4).empty());
  const Problems problems = problems_of(shares, 0);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].field, "rows");
  EXPECT_EQ(problems[0].code, ProblemCode::overflow);
}

TEST(Finite, APointOfASweepIsRefusedWhole) {
  WireBytes results;
  WireWriter to(results);
  const Value axes =
      Value::List{Value::Object{{"field", "divisor"}, {"values", Value::Numbers{0, 4, -0.0, -1, 0}}}};
  ASSERT_TRUE(sweep(division, Value::Object{}, axes, to).empty());
  const Value swept = WireReader(results).value();
  EXPECT_EQ(*swept.find("refused")->number(), 3);
  const Value::List& problems = *swept.find("problems")->list();
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(*problems[0].find("field")->text(), "quotient");
  EXPECT_EQ(*problems[0].find("code")->text(), "overflow");
  const Value::Numbers& divisors = *swept.find("results")->find("divisor")->numbers();
  const Value::Numbers& quotients = *swept.find("results")->find("quotient")->numbers();
  for (const std::size_t refused : {0u, 2u, 4u}) {
    EXPECT_TRUE(std::isnan(divisors[refused]));
    EXPECT_TRUE(std::isnan(quotients[refused]));
  }
  EXPECT_EQ(divisors[1], 4);
  EXPECT_EQ(quotients[1], 0.25);
  EXPECT_EQ(quotients[3], -1);
}

}  // namespace finite_test
}  // namespace commcost
