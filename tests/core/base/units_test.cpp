#include "core/base/units.h"

#include <gtest/gtest.h>

namespace commcost {
namespace {

TEST(Units, AMebibyteOverAGigabyteASecond) {
  EXPECT_EQ(transfer_us(mib, 1.0), 1048.576);
  EXPECT_EQ(transfer_us(gb_per_sec, 1.0), 1e6);
}

TEST(Units, EveryWholeNumberUpToTheGreatestIsExactAndTheNextIsNot) {
  EXPECT_NE(greatest_exact_whole - 1, greatest_exact_whole);
  EXPECT_EQ(greatest_exact_whole + 1, greatest_exact_whole + 1 + 1);
}

}  // namespace
}  // namespace commcost
