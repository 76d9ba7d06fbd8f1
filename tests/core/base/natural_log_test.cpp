#include "core/base/natural_log.h"

#include <gtest/gtest.h>

#include <cmath>

namespace commcost {
namespace {

TEST(NaturalLog, AgreesWithTheLibraryToSomeUlp) {
  for (double value = 1e-300; value < 1e300; value *= 1.37) {
    EXPECT_NEAR(natural_log(value), std::log(value), 4e-16 * std::fabs(std::log(value)) + 2e-16) << value;
  }
}

TEST(NaturalLog, OfOneIsZero) {
  EXPECT_EQ(natural_log(1), 0.0);
}

TEST(NaturalLog, NeverFalls) {
  for (double value = 0.5; value < 4; value += 1.0 / 4096) {
    EXPECT_LE(natural_log(value), natural_log(value + 1.0 / 4096)) << value;
  }
}

TEST(NaturalExp, AgreesWithTheLibraryToSomeUlp) {
  for (double value = -700; value < 700; value += 0.37)
    EXPECT_NEAR(natural_exp(value) / std::exp(value), 1, 2e-16 * (2 + std::fabs(value))) << value;
  EXPECT_EQ(natural_exp(0), 1.0);
  EXPECT_EQ(natural_exp(-1000), 0.0);
  EXPECT_EQ(natural_exp(-INFINITY), 0.0);
  EXPECT_EQ(natural_exp(1000), INFINITY);
  EXPECT_EQ(natural_exp(INFINITY), INFINITY);
}

TEST(NaturalExp, NeverFalls) {
  for (double value = -3; value < 3; value += 1.0 / 4096)
    EXPECT_LE(natural_exp(value), natural_exp(value + 1.0 / 4096)) << value;
}

}  // namespace
}  // namespace commcost
