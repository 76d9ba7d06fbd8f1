#include "core/plan/ties.h"

#include <gtest/gtest.h>

#include "core/base/split_mix.h"

namespace commcost {
namespace {

TEST(Ties, ReachAsFarAsTheNoise) {
  EXPECT_TRUE(are_a_tie(1000, 1000));
  EXPECT_TRUE(are_a_tie(1000, 1034));
  EXPECT_FALSE(are_a_tie(1000, 1036));
}

// Ties are symmetric, and a closer pair ties if a wider one does.
TEST(Ties, AreSymmetricInNoise) {
  SplitMix random(15);
  for (int i = 0; i < 10000; ++i) {
    const double one = 1 + 1e-6 * static_cast<double>(random.below(1000000));
    const double other = one * (0.9 + 2e-7 * static_cast<double>(random.below(1000000)));
    EXPECT_EQ(are_a_tie(one, other), are_a_tie(other, one)) << one << " " << other;
    EXPECT_EQ(are_a_tie(one, other), are_a_tie(1000 * one, 1000 * other)) << one << " " << other;
    if (are_a_tie(one, other)) {
      EXPECT_TRUE(are_a_tie(one, (one + other) / 2)) << one << " " << other;
    }
  }
}

TEST(Ties, TheRoomiestIsTheSmallestWithinTheNoise) {
  std::vector<PlannedLayout> front(4);
  const double times[] = {990, 1000, 1030, 1040};
  for (std::size_t i = 0; i < front.size(); ++i) {
    front[i].step_time_ms = times[i];
    front[i].memory_gib = 70 - static_cast<double>(i);
  }
  EXPECT_EQ(roomiest_tie(front, 1000), &front[2]);
  EXPECT_EQ(roomiest_tie(front, 2000), nullptr);
}

}  // namespace
}  // namespace commcost
