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

}  // namespace
}  // namespace commcost
