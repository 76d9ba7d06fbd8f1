#include "core/base/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace commcost {
namespace {

TEST(Median, IsTheMiddleOneOrTheMeanOfTheTwoInTheMiddle) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({7}), 7);
  EXPECT_EQ(median({9, 1, 5}), 5);
  EXPECT_EQ(median({9, 1, 5, 6}), 5.5);
}

TEST(Quantile, LiesBetweenTheTwoNearest) {
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
  EXPECT_EQ(quantile({7}, 0.9), 7);
  EXPECT_EQ(quantile({40, 10, 30, 20}, 0), 10);
  EXPECT_EQ(quantile({40, 10, 30, 20}, 1), 40);
  EXPECT_EQ(quantile({40, 10, 30, 20}, 0.5), 25);
  EXPECT_DOUBLE_EQ(quantile({40, 10, 30, 20, 0}, 0.1), 4);
}

}  // namespace
}  // namespace commcost
