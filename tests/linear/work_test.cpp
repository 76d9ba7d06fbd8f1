// The count itself: it tells what is in proportion from what is not.

#include "linear/work.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace commcost::linear {

double growth(const double (&work)[4]) {
  // Over two doublings each: a list that doubles its memory grows in steps.
  const double first = work[2] - work[0];
  const double second = work[3] - work[1];
  // Some hundred blocks more or less are no growth.
  constexpr double hardly = 500;
  return first <= hardly || second <= hardly ? 0 : std::log2(second / first);
}

void expect_linear(const std::string& what, const Growth& growth) {
  std::printf("%-64s %5.2f blocks %5.2f bytes\n", what.c_str(), growth.blocks, growth.bytes);
  EXPECT_LT(growth.blocks, steepest) << what;
  EXPECT_LT(growth.bytes, steepest) << what;
}

namespace {

std::vector<int> numbers(std::size_t n) {
  return std::vector<int>(n, 7);
}

TEST(Work, InProportionGrowsByOne) {
  const Growth sum = growth_of(2000, numbers, [](const std::vector<int>& all) {
    volatile long total = 0;
    for (const int one : all) total = total + one;
  });
  EXPECT_NEAR(sum.blocks, 1, 0.01);
  const Growth copy =
      growth_of(2000, numbers, [](const std::vector<int>& all) { std::vector<int> other = all; });
  EXPECT_NEAR(copy.bytes, 1, 0.01);
}

// As the reader of JSON was: each looked up among those before it.
TEST(Work, ASquareGrowsByTwo) {
  const Growth search = growth_of(500, numbers, [](const std::vector<int>& all) {
    std::vector<int> kept;
    for (const int one : all) {
      volatile bool known = false;
      for (const int other : kept) known = known || other == one + 1;
      kept.push_back(one);
    }
  });
  EXPECT_NEAR(search.blocks, 2, 0.05);
  // Moved without a loop of our own.
  const Growth insert = growth_of(2000, numbers, [](const std::vector<int>& all) {
    std::vector<int> kept;
    for (const int one : all) kept.insert(kept.begin(), one);
  });
  EXPECT_GT(insert.bytes, 1.8);
  const Growth append = growth_of(2000, numbers, [](const std::vector<int>& all) {
    std::string text;
    for (std::size_t at = 0; at < all.size(); ++at) text = text + "0123456789";
  });
  EXPECT_GT(append.bytes, 1.8);
}

TEST(Work, WhatDoesNotGrowIsFlat) {
  const Growth one = growth_of(2000, numbers, [](const std::vector<int>& all) {
    volatile int first = all[0];
    (void)first;
  });
  EXPECT_EQ(one.blocks, 0);
  EXPECT_EQ(one.bytes, 0);
}

}  // namespace
}  // namespace commcost::linear
