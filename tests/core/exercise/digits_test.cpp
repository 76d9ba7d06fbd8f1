#include "core/exercise/digits.h"

#include <gtest/gtest.h>

#include <limits>

namespace commcost {
namespace {

TEST(Digits, AreRoundedOrCutOff) {
  constexpr double pi = 3.14159265358979;
  for (const double answer : {3.14, 3.141, 3.142, 3.1415, 3.1416, 3.14159265359})
    EXPECT_TRUE(is_shortened(answer, pi, 3)) << answer;
  for (const double answer : {3.1, 3.15, 3.13, 3.143, -3.14})
    EXPECT_FALSE(is_shortened(answer, pi, 3)) << answer;
  EXPECT_TRUE(is_shortened(3.1, pi, 2));
  EXPECT_TRUE(is_shortened(3, pi, 1));
}

TEST(Digits, AreCountedFromTheFirstThatIsNotZero) {
  EXPECT_TRUE(is_shortened(123000, 123456, 3));
  EXPECT_TRUE(is_shortened(0.00123, 0.00123456, 3));
  EXPECT_FALSE(is_shortened(120000, 123456, 3));
  EXPECT_FALSE(is_shortened(0.0012, 0.00123456, 3));
  // A power of ten has its one at the front.
  EXPECT_TRUE(is_shortened(1000, 1000.4, 3));
  EXPECT_TRUE(is_shortened(1000, 999.9, 3));
  EXPECT_TRUE(is_shortened(0.1, 0.1, 3));
}

TEST(Digits, ForgiveTheLastBitsOnly) {
  EXPECT_TRUE(is_shortened(1e12 + 1, 1e12, 3));
  EXPECT_FALSE(is_shortened(1e12 + 1.5, 1e12, 3));
}

TEST(Digits, OfNothingOrOfNoEndAreNone) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  EXPECT_FALSE(is_shortened(0, 1, 1));
  EXPECT_FALSE(is_shortened(1, 0, 1));
  EXPECT_FALSE(is_shortened(0, 0, 1));
  EXPECT_FALSE(is_shortened(infinity, infinity, 1));
}

}  // namespace
}  // namespace commcost
