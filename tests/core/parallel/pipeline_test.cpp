#include "core/parallel/pipeline.h"

#include <gtest/gtest.h>

#include "support/jobs.h"

namespace commcost {
namespace {

Layout layout_of(PipelineSchedule schedule, std::int64_t stages, std::int64_t chunks = 1) {
  Layout layout;
  layout.pipeline_schedule = schedule;
  layout.pipeline_parallel = stages;
  layout.virtual_stages = chunks;
  return layout;
}

TEST(TextbookBubble, MatchesThePublishedShares) {
  for (const test::CsvRow& row : test::read_csv(test::data_file("bubbles.csv"))) {
    const auto schedule =
        static_cast<PipelineSchedule>(test::place_of(row.at("pipeline_schedule"), pipeline_schedule_names));
    const Layout layout =
        layout_of(schedule, test::whole(row, "pipeline_parallel"), test::whole(row, "virtual_stages"));
    const TextbookBubble bubble = textbook_bubble(layout, row.number("micro_batches"));
    EXPECT_DOUBLE_EQ(bubble.of_ideal, row.number("of_ideal")) << row.line();
    EXPECT_DOUBLE_EQ(bubble.of_total, row.number("of_total")) << row.line();
  }
}

TEST(TextbookBubble, OfTotalIsTheUsualFormFor1f1b) {
  for (double m = 1; m < 100; ++m) {
    const TextbookBubble bubble = textbook_bubble(layout_of(PipelineSchedule::one_f_one_b, 16), m);
    EXPECT_NEAR(bubble.of_total, 15 / (m + 15), 1e-15);
  }
}

// arXiv:2401.10241, table 2: (p-1)(F+B-W) and (p-1)(F+B-2W); deepseek-ai/DualPipe's README: (p/2-1)(F&B+B-3W)
// with F&B = 3 + 6, and half of (p-1) of it.
TEST(Bubble, IsThePublishedOne) {
  const StagePass pass = {3, 3, 3};
  const auto idle = [&](PipelineSchedule schedule, double chunks) {
    return bubble_of(schedule, 8, chunks, 64, pass);
  };
  EXPECT_EQ(idle(PipelineSchedule::one_f_one_b, 1), 63);
  EXPECT_EQ(idle(PipelineSchedule::gpipe, 1), 63);
  EXPECT_EQ(idle(PipelineSchedule::interleaved, 3), 21);
  EXPECT_EQ(idle(PipelineSchedule::zero_bubble, 1), 21);
  EXPECT_EQ(idle(PipelineSchedule::zero_bubble_2p, 1), 0);
  EXPECT_EQ(idle(PipelineSchedule::dualpipe, 1), 18);
  EXPECT_EQ(idle(PipelineSchedule::dualpipe_v, 2), 21);
  EXPECT_EQ(bubble_of(PipelineSchedule::one_f_one_b, 1, 1, 64, pass), 0);
  EXPECT_EQ(bubble_of(PipelineSchedule::dualpipe, 2, 1, 64, pass), 0);
  const StagePass uneven = {3, 5, 2};
  EXPECT_EQ(bubble_of(PipelineSchedule::zero_bubble, 8, 1, 64, uneven), 7 * (3 + 5 - 2));
  EXPECT_EQ(bubble_of(PipelineSchedule::zero_bubble_2p, 8, 1, 64, uneven), 7 * (3 + 5 - 2 * 2));
}

// The first micro-batch's weight gradients end the step: three others have some to fill with.
TEST(Bubble, IsFilledWithNoMoreThanThereIs) {
  EXPECT_EQ(bubble_of(PipelineSchedule::zero_bubble, 8, 1, 4, {3, 3, 3}), 42 - 3 * 3);
  EXPECT_EQ(bubble_of(PipelineSchedule::zero_bubble_2p, 8, 1, 4, {3, 3, 3}), 42 - 3 * 3);
}

TEST(InFlight, FollowsTheSchedule) {
  const auto held = [](PipelineSchedule schedule, std::int64_t chunks, double m) {
    return micro_batches_in_flight(layout_of(schedule, 8, chunks), m).first;
  };
  EXPECT_EQ(held(PipelineSchedule::one_f_one_b, 1, 64), 8);
  EXPECT_EQ(held(PipelineSchedule::one_f_one_b, 1, 4), 4);
  EXPECT_EQ(held(PipelineSchedule::gpipe, 1, 64), 64);
  EXPECT_EQ(held(PipelineSchedule::zero_bubble, 1, 64), 8);
  EXPECT_EQ(held(PipelineSchedule::zero_bubble_2p, 1, 64), 15);
  // arXiv:2205.05198, section 4.2.3: 1 + (p-1)/(p v) times the memory of 1F1B.
  EXPECT_DOUBLE_EQ(held(PipelineSchedule::interleaved, 3, 64), 8 * (1 + 7.0 / 24));
  // github.com/deepseek-ai/DualPipe: PP + 1 chunks, of a stage's layers in DualPipe, of half of them in the
  // V, whose 8 stages are PP 16.
  EXPECT_EQ(held(PipelineSchedule::dualpipe, 1, 64), 8 + 1);
  EXPECT_EQ(held(PipelineSchedule::dualpipe_v, 1, 64), (16 + 1) / 2.0);
}

TEST(InFlight, FallsTowardsTheLastStageUnlessFedFromBothEnds) {
  const InFlight line = micro_batches_in_flight(layout_of(PipelineSchedule::one_f_one_b, 8), 64);
  EXPECT_EQ(line.inner, 7);
  EXPECT_EQ(line.last, 1);
  const InFlight dual = micro_batches_in_flight(layout_of(PipelineSchedule::dualpipe, 8), 64);
  EXPECT_EQ(dual.inner, 9);
  EXPECT_EQ(dual.last, 9);
}

}  // namespace
}  // namespace commcost
