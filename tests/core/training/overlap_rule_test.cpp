#include "core/training/overlap_rule.h"

#include <gtest/gtest.h>

#include "core/training/constants.h"

namespace commcost {
namespace {

TEST(Hiding, HidesWhatFitsBesideComputeAndPaysForIt) {
  const Hiding all = hide(10, 100, {}, 1);
  EXPECT_EQ(all.hidden_us, 10);
  EXPECT_DOUBLE_EQ(all.exposed_us(10), 10 * (constants::overlap_slow_down - 1));
  const Hiding some = hide(100, 10, {}, 1);
  EXPECT_EQ(some.hidden_us, 10);
  EXPECT_GT(some.exposed_us(100), 90);
}

TEST(Hiding, HidesNothingWithoutComputeOrShare) {
  EXPECT_EQ(hide(10, 0, {}, 1).exposed_us(10), 10);
  EXPECT_EQ(hide(10, 100, {}, 0).exposed_us(10), 10);
}

TEST(Hiding, TakesAShareOfTheWindowAndOfTheMessages) {
  EXPECT_DOUBLE_EQ(hide(10, 100, {0.5, 0.25}, 1).hidden_us, 2.5);
  EXPECT_DOUBLE_EQ(hide(100, 10, {0.5, 0.25}, 1).hidden_us, 5);
  EXPECT_DOUBLE_EQ(hide(10, 100, {0.5, 0.25}, 2).hidden_us, 5);
  // However much can be hidden, no more than there is.
  EXPECT_DOUBLE_EQ(hide(10, 100, {}, 100).hidden_us, 10);
  EXPECT_DOUBLE_EQ(hide(100, 10, {}, 100).hidden_us, 10);
}

TEST(Hiding, NeverGains) {
  for (const double communication : {0.0, 1.0, 50.0, 1000.0}) {
    for (const double compute : {0.0, 1.0, 50.0, 1000.0}) {
      EXPECT_GE(hide(communication, compute, {}, 1).exposed_us(communication), 0);
      EXPECT_LE(hide(communication, compute, {}, 1).exposed_us(communication), communication);
    }
  }
}

TEST(Joint, IsTheLongerAndAtMostAFifthMore) {
  EXPECT_EQ(joint_us(5, 0), 5);
  for (const double device : {1.0, 3.0, 10.0}) {
    for (const double host : {0.1, 3.0, 40.0}) {
      const double longer = device > host ? device : host;
      EXPECT_GE(joint_us(device, host), longer);
      EXPECT_LE(joint_us(device, host), longer * 1.19);
    }
  }
}

}  // namespace
}  // namespace commcost
