#include "core/base/outcome.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace commcost {
namespace {

Problem problem(const std::string& field) {
  return {field, ProblemCode::missing, field + " is missing", "anything"};
}

TEST(Outcome, HoldsAValue) {
  const Outcome<int> outcome = 7;
  ASSERT_TRUE(outcome);
  EXPECT_EQ(*outcome, 7);
}

TEST(Outcome, IsReadAsAPointerIs) {
  const Outcome<std::string> outcome = std::string("seven");
  EXPECT_EQ(*outcome, "seven");
  EXPECT_EQ(outcome->size(), 5u);
}

TEST(Outcome, HoldsOneProblem) {
  const Outcome<int> outcome = problem("ranks");
  ASSERT_FALSE(outcome);
  ASSERT_EQ(outcome.problems().size(), 1u);
  EXPECT_EQ(outcome.problems().front().field, "ranks");
}

TEST(Outcome, HoldsEveryProblemInOrder) {
  const Outcome<int> outcome = Problems{problem("ranks"), problem("latency_us")};
  ASSERT_FALSE(outcome);
  ASSERT_EQ(outcome.problems().size(), 2u);
  EXPECT_EQ(outcome.problems().back().field, "latency_us");
}

TEST(Outcome, LetsItsValueBeMovedOut) {
  Outcome<std::unique_ptr<int>> outcome = std::make_unique<int>(7);
  const std::unique_ptr<int> moved = std::move(outcome).value();
  EXPECT_EQ(*moved, 7);
}

}  // namespace
}  // namespace commcost
