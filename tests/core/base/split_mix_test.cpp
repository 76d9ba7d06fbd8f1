#include "core/base/split_mix.h"

#include <gtest/gtest.h>

#include <set>

namespace commcost {
namespace {

// The first numbers of the reference implementation, https://prng.di.unimi.it/splitmix64.c, for seed 1234567.
TEST(SplitMix, IsTheReference) {
  SplitMix random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  EXPECT_EQ(random.next(), 9817491932198370423u);
}

TEST(SplitMix, DrawsEachOfAFewAboutAsOften) {
  SplitMix random(1);
  int drawn[7] = {};
  for (int i = 0; i < 70000; ++i) ++drawn[random.below(7)];
  for (const int count : drawn) {
    EXPECT_GT(count, 9500);
    EXPECT_LT(count, 10500);
  }
}

TEST(SplitMix, DrawsOneOfOne) {
  SplitMix random(1);
  EXPECT_EQ(random.below(1), 0u);
}

}  // namespace
}  // namespace commcost
