#include "core/launches/stack_option.h"

#include <gtest/gtest.h>

namespace commcost {
namespace {

TEST(WholeIn, TakesWholeNumbersThatDoublesHold) {
  EXPECT_EQ(whole_in("0"), 0);
  EXPECT_EQ(whole_in("-12"), -12);
  EXPECT_EQ(whole_in("5e8"), 500000000);
  EXPECT_EQ(whole_in("1e15"), 1000000000000000);
  EXPECT_EQ(whole_in("-1e15"), -1000000000000000);
  for (const char* other :
       {"", "8.5", "1,024", "1'024", "1000000000000001", "-1000000000000001", "nan", "8x"})
    EXPECT_EQ(whole_in(other), std::nullopt) << other;
}

}  // namespace
}  // namespace commcost
