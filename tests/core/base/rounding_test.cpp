#include "core/base/rounding.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/four_digits.h"
#include "support/csv.h"

namespace commcost {
namespace {

TEST(Rounding, AgreesWithPythonOnTiesTheirNeighboursAndAnythingElse) {
  const auto rows = test::read_csv(test::oracle_file("rounding.csv"));
  ASSERT_EQ(rows.size(), 50000u);
  for (const auto& row : rows) {
    ASSERT_EQ(round_to_four_decimals(row.number("value")), row.number("rounded")) << row.line();
  }
}

TEST(Rounding, TakesTheExactDecimalValueOfTheDouble) {
  EXPECT_EQ(round_to_four_decimals(0.03125), 0.0312);    // a tie: to even
  EXPECT_EQ(round_to_four_decimals(0.09375), 0.0938);    // a tie: to even
  EXPECT_EQ(round_to_four_decimals(0.00015), 0.0001);    // the double is below the tie
  EXPECT_EQ(round_to_four_decimals(1.00025), 1.0003);    // the double is above the tie
  EXPECT_EQ(round_to_four_decimals(-0.03125), -0.0312);  // symmetric
}

TEST(RoundingIfCertain, DoesNotDecideWithinTheUncertainty) {
  constexpr double tie = 0.03125;
  EXPECT_LT(round_if_certain(tie, 0), 0);
  EXPECT_LT(round_if_certain(tie * (1 + 0x1p-51), 4), 0);
  EXPECT_EQ(round_if_certain(tie * (1 + 0x1p-40), 4), 0.0313);
  EXPECT_EQ(round_if_certain(tie * (1 - 0x1p-40), 4), 0.0312);
}

TEST(RoundingIfCertain, DoesNotDecideWhereDoublesAreCoarseOrNegative) {
  EXPECT_LT(round_if_certain(0x1p50, 0), 0);
  EXPECT_LT(round_if_certain(-1.5, 0), 0);
}

TEST(FourDigits, AreKeptOfAnyNumber) {
  EXPECT_EQ(round_to_four_digits(1234.5), 1235);
  EXPECT_EQ(round_to_four_digits(12344), 12340);
  EXPECT_EQ(round_to_four_digits(9999.6), 10000);
  EXPECT_EQ(round_to_four_digits(10000), 10000);
  EXPECT_EQ(round_to_four_digits(1000), 1000);
  EXPECT_EQ(round_to_four_digits(987654321), 987700000);
  EXPECT_EQ(round_to_four_digits(1), 1);
  EXPECT_EQ(round_to_four_digits(0.0123456), 0.01235);
  EXPECT_EQ(round_to_four_digits(1.0 / 3), 0.3333);
  for (const double none : {0.0, -1.5, std::nan("")}) EXPECT_EQ(round_to_four_digits(none), 0);
}

}  // namespace
}  // namespace commcost
