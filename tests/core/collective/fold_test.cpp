#include "core/collective/fold.h"

#include <gtest/gtest.h>

namespace commcost {
namespace {

TEST(Fold, LeavesAPowerOfTwoOfRanksWhoStandForAll) {
  for (int ranks = 1; ranks <= 300; ++ranks) {
    const Fold fold(ranks);
    EXPECT_TRUE(is_power_of_two(fold.active()));
    EXPECT_LE(fold.active(), ranks);
    EXPECT_GT(2 * fold.active(), ranks);
    EXPECT_EQ(fold.rank_of(0), 0);
    EXPECT_EQ(fold.rank_of(fold.active()), ranks);
    int doubled = 0;
    for (int index = 0; index < fold.active(); ++index) {
      const int stands_for = fold.rank_of(index + 1) - fold.rank_of(index);
      EXPECT_GE(stands_for, 1);
      EXPECT_LE(stands_for, 2);
      EXPECT_EQ(fold.doubles(index), stands_for == 2);
      doubled += fold.doubles(index) ? 1 : 0;
    }
    EXPECT_EQ(doubled, ranks - fold.active());
    EXPECT_EQ(fold.any(), doubled > 0);
  }
}

TEST(Fold, SpreadsThoseLeftOut) {
  // Of six, two halves with one left out in each.
  const Fold fold(6);
  EXPECT_EQ(fold.rank_of(1), 2);
  EXPECT_EQ(fold.rank_of(2), 3);
  EXPECT_EQ(fold.rank_of(3), 5);
  EXPECT_TRUE(fold.doubles(0));
  EXPECT_TRUE(fold.doubles(2));
}

}  // namespace
}  // namespace commcost
