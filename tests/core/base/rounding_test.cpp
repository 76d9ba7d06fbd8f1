#include "core/base/rounding.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace commcost
