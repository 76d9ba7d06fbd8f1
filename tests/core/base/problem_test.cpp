#include "core/base/problem.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "support/names.h"

namespace commcost {
namespace {

TEST(ProblemCode, HasANameOfItsOwnEach) {
  std::set<std::string> names;
  // malformed is the last; a code behind it would be missed here, and so would its name.
  for (int code = 0; code <= static_cast<int>(ProblemCode::malformed); ++code) {
    const std::string name(name_of(static_cast<ProblemCode>(code)));
    EXPECT_TRUE(test::is_snake_case(name)) << name;
    EXPECT_TRUE(names.insert(name).second) << name << " twice";
  }
}

TEST(ProblemCode, IsSpelledAsItCrossesTheBoundary) {
  EXPECT_EQ(name_of(ProblemCode::missing), "missing");
  EXPECT_EQ(name_of(ProblemCode::unknown_field), "unknown_field");
  EXPECT_EQ(name_of(ProblemCode::out_of_range), "out_of_range");
}

}  // namespace
}  // namespace commcost
