#include "core/step/bubble.h"

#include <gtest/gtest.h>

#include <ostream>

namespace commcost {
namespace {

struct Case {
  const char* name;
  PipelineSchedule schedule;
  double stages;
  double chunks;
  double bubble;
};
void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

class BubbleOf : public testing::TestWithParam<Case> {};

// Forward 3, backward 6 of which weight gradients 3.
TEST_P(BubbleOf, FollowsItsSchedule) {
  const Case& one = GetParam();
  EXPECT_DOUBLE_EQ(bubble_us(one.schedule, one.stages, one.chunks, 64, {3, 6, 3}), one.bubble);
}

INSTANTIATE_TEST_SUITE_P(Bubble, BubbleOf,
                         testing::Values(Case{"one_stage", PipelineSchedule::one_f_one_b, 1, 1, 0},
                                         Case{"1f1b", PipelineSchedule::one_f_one_b, 8, 1, 63},
                                         Case{"gpipe_as_1f1b", PipelineSchedule::gpipe, 8, 1, 63},
                                         Case{"interleaved_divides_by_chunks", PipelineSchedule::interleaved,
                                              8, 3, 21},
                                         Case{"zb1p_a_third", PipelineSchedule::zero_bubble, 8, 1, 21},
                                         Case{"zb2p_none", PipelineSchedule::zero_bubble_2p, 8, 1, 0},
                                         // (8/2 - 1) (9 + 6 - 9), and half of (8 - 1) of it.
                                         Case{"dualpipe", PipelineSchedule::dualpipe, 8, 1, 18},
                                         Case{"dualpipe_v", PipelineSchedule::dualpipe_v, 8, 2, 21},
                                         Case{"dualpipe_of_two", PipelineSchedule::dualpipe, 2, 1, 0}));

// Four micro-batches have four weight gradients to fill with, not 2 (p - 1): 63 - 4 * 3.
TEST(Bubble, IsFilledWithNoMoreThanThereIs) {
  EXPECT_EQ(bubble_us(PipelineSchedule::zero_bubble, 8, 1, 4, {3, 6, 3}), 51);
}

TEST(Bubble, IsNeverNegative) {
  EXPECT_EQ(bubble_us(PipelineSchedule::zero_bubble, 8, 1, 64, {1, 2, 2}), 0);
}

}  // namespace
}  // namespace commcost
