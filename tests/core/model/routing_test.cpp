#include "core/model/routing.h"

#include <gtest/gtest.h>

#include <cmath>

namespace commcost {
namespace {

TEST(Routing, OneTokenMeetsAsManyExpertsAsItVisits) {
  EXPECT_DOUBLE_EQ(experts_met(8, 1, 2, 8), 2);
  EXPECT_DOUBLE_EQ(experts_met(256, 1, 8, 256), 8);
  // Of a group of 64 ranks with four experts each, one rank's share.
  EXPECT_DOUBLE_EQ(experts_met(4, 1, 8, 256), 8.0 / 64);
  EXPECT_EQ(experts_met(8, 0, 2, 8), 0);
}

// Two tokens that each choose two of eight: the second meets 2 * 6/8 others.
TEST(Routing, TwoTokensMeetFewerThanTwiceAsMany) {
  EXPECT_DOUBLE_EQ(experts_met(8, 2, 2, 8), 2 + 2 * 6.0 / 8);
  EXPECT_DOUBLE_EQ(experts_met(8, 3, 2, 8), 3.5 + 2 * (8 - 3.5) / 8);
  EXPECT_DOUBLE_EQ(experts_met(8, 0.5, 2, 8), 1);
  EXPECT_DOUBLE_EQ(experts_met(8, 1.5, 2, 8), 2 + 6.0 / 8);
}

TEST(Routing, NeverMoreThanThereAreNorThanAreVisited) {
  double before = 0;
  for (double tokens = 1; tokens <= 4096; tokens *= 2) {
    const double met = experts_met(256, tokens, 8, 256);
    EXPECT_GT(met, before) << tokens;
    EXPECT_LE(met, std::fmin(256, 8 * tokens) * (1 + 1e-12)) << tokens;
    EXPECT_NEAR(met, 256 * (1 - std::pow(1 - 8.0 / 256, tokens)), 1e-9) << tokens;
    if (tokens < 1024) before = met;
  }
  EXPECT_EQ(experts_met(256, 1e6, 8, 256), 256);
  EXPECT_EQ(experts_met(4, 100, 4, 4), 4);
}

}  // namespace
}  // namespace commcost
