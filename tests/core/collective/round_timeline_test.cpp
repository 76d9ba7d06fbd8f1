#include "core/collective/round_timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/collective/executor.h"
#include "support/methods.h"

namespace commcost {
namespace {

constexpr HockneyMachine machine = {.link = {5, 50}, .inside = {2, 400}, .reduce_gb_per_sec = 1000};
constexpr double message = 1 << 20;

double last(const std::vector<double>& row) {
  return *std::max_element(row.begin(), row.end());
}

double first(const std::vector<double>& row) {
  return *std::min_element(row.begin(), row.end());
}

class TimelineOf : public testing::TestWithParam<Method> {};

TEST_P(TimelineOf, TakesAtMostWhatTheRoundsOfAllTakeInTurn) {
  const Method& method = GetParam();
  HockneyMachine links = machine;
  if (method.algorithm == Algorithm::torus_2d) links.inside = links.link;
  for (int ranks = 1; ranks <= 24; ++ranks) {
    for (const Group& group : test::groups_of(method, ranks)) {
      const Schedule schedule(method, group);
      Counts counts = counts_of(method, group);
      if (method.published && !is_power_of_two(ranks)) {
        // The published form is not what this schedule does.
        const Tally tally = Executor(schedule, schedule.chunks_per_message()).run();
        counts.path = {tally.rounds, tally.path_elements, tally.path_reduced};
      }
      const double closed_form = hockney(counts, message, links).total_us();
      const CollectiveTimeline timeline = timeline_of(schedule, message, links, {});
      ASSERT_EQ(timeline.ready_us.size(), static_cast<std::size_t>(schedule.rounds()) + 1);
      ASSERT_LE(last(timeline.ready_us.back()), closed_form * (1 + 1e-12)) << ranks;
    }
  }
}

// Worked back from its arrival, a start fell a rounding below the instant when its round begins.
TEST_P(TimelineOf, NoMessageSetsOutBeforeItsRankIsReady) {
  for (int ranks = 2; ranks <= 8; ++ranks) {
    for (const double rate : {25.0, 47.5, 150.0, 450.0}) {
      const HockneyMachine links = {.link = {5, rate}, .inside = {5, rate}};
      for (const Group& group : test::groups_of(GetParam(), ranks)) {
        const CollectiveTimeline timeline = timeline_of(Schedule(GetParam(), group), 1e6 / 3, links, {});
        for (std::size_t round = 0; round < timeline.messages.size(); ++round) {
          for (const Delivery& delivery : timeline.messages[round]) {
            if (delivery.from == ranks) continue;  // a switch waits for nobody
            ASSERT_GE(delivery.begun_us, timeline.ready_us[round][static_cast<std::size_t>(delivery.from)])
                << ranks << ' ' << rate;
          }
        }
      }
    }
  }
}

TEST_P(TimelineOf, NeverRunsBackwards) {
  const std::vector<double> delays = {3, 0, 50, 7, 1};
  for (const Group& group : test::groups_of(GetParam(), 10)) {
    const CollectiveTimeline timeline = timeline_of(Schedule(GetParam(), group), message, machine, delays);
    for (std::size_t round = 1; round < timeline.ready_us.size(); ++round) {
      for (std::size_t rank = 0; rank < 10; ++rank) {
        ASSERT_GE(timeline.ready_us[round][rank], timeline.ready_us[round - 1][rank]);
        ASSERT_TRUE(std::isfinite(timeline.ready_us[round][rank]));
      }
    }
  }
}

TEST_P(TimelineOf, IsLaterWhereARankIsLate) {
  const Schedule schedule(GetParam(), {.ranks = 10, .group_size = 5, .pieces = 2});
  const CollectiveTimeline punctual = timeline_of(schedule, message, machine, {});
  for (std::size_t late = 0; late < 10; ++late) {
    std::vector<double> delays(10, 0.0);
    delays[late] = 1000;
    const CollectiveTimeline delayed = timeline_of(schedule, message, machine, delays);
    EXPECT_GE(last(delayed.ready_us.back()), 1000);
    for (std::size_t rank = 0; rank < 10; ++rank)
      EXPECT_GE(delayed.ready_us.back()[rank], punctual.ready_us.back()[rank]);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, TimelineOf, testing::ValuesIn(all_methods().begin(), all_methods().end()),
                         test::MethodName());

TEST(Timeline, OfARingIsItsClosedForm) {
  const Method& ring = *find_method(Collective::all_reduce, Algorithm::ring);
  for (int ranks = 2; ranks <= 40; ++ranks) {
    const CollectiveTimeline timeline = timeline_of(Schedule(ring, {.ranks = ranks}), message, machine, {});
    const double closed_form = hockney(counts_of(ring, {.ranks = ranks}), message, machine).total_us();
    EXPECT_NEAR(first(timeline.ready_us.back()), closed_form, closed_form * 1e-12);
    EXPECT_NEAR(last(timeline.ready_us.back()), closed_form, closed_form * 1e-12);
  }
}

// The root's port takes the blocks one after the other; whoever sent one is done when it has arrived.
TEST(Timeline, OfADirectGatherQueuesAtItsRoot) {
  const Method& gather = *find_method(Collective::gather, Algorithm::direct);
  for (int ranks = 2; ranks <= 9; ++ranks) {
    const CollectiveTimeline timeline = timeline_of(Schedule(gather, {.ranks = ranks}), message, machine, {});
    const double block_us = message / ranks / 50e3;
    EXPECT_NEAR(timeline.ready_us.back()[0], 5 + (ranks - 1) * block_us, 1e-9);
    for (std::size_t rank = 1; rank < static_cast<std::size_t>(ranks); ++rank) {
      EXPECT_NEAR(timeline.ready_us.back()[rank], 5 + block_us, 1e-9);
    }
  }
}

// The root's blocks set out one after the other, and share one latency.
TEST(Timeline, OfADirectScatterQueuesAtItsRoot) {
  const Method& scatter = *find_method(Collective::scatter, Algorithm::direct);
  const CollectiveTimeline timeline = timeline_of(Schedule(scatter, {.ranks = 8}), message, machine, {});
  const double block_us = message / 8 / 50e3;
  ASSERT_EQ(timeline.messages.size(), 1u);
  ASSERT_EQ(timeline.messages[0].size(), 7u);
  for (std::size_t place = 0; place < 7; ++place) {
    const auto before = static_cast<double>(place);
    EXPECT_NEAR(timeline.messages[0][place].begun_us, before * block_us, 1e-9);
    EXPECT_NEAR(timeline.messages[0][place].ended_us, 5 + (before + 1) * block_us, 1e-9);
  }
}

TEST(Timeline, OfABarrierLetsNobodyLeaveBeforeTheLastArrives) {
  for (const Method& method : all_methods()) {
    if (method.collective != Collective::barrier) continue;
    for (int ranks = 1; ranks <= 64; ++ranks) {
      for (int late = 0; late < ranks; ++late) {
        std::vector<double> delays(static_cast<std::size_t>(ranks));
        for (int rank = 0; rank < ranks; ++rank) delays[static_cast<std::size_t>(rank)] = rank * 7 % 11;
        delays[static_cast<std::size_t>(late)] = 100;
        const CollectiveTimeline timeline =
            timeline_of(Schedule(method, {.ranks = ranks}), message, machine, delays);
        // The late rank leaves first at the earliest; any other hears of it a message later.
        EXPECT_GE(first(timeline.ready_us.back()), 100) << name_of(method) << ' ' << ranks << ' ' << late;
        EXPECT_LE(last(timeline.ready_us.back()), 100 + 5 * counts_of(method, {.ranks = ranks}).path.rounds);
      }
    }
  }
}

TEST(Timeline, OfADisseminationBarrierAddsALatencyARound) {
  const Method& barrier = *find_method(Collective::barrier, Algorithm::dissemination);
  const std::vector<double> delays = {0, 0, 0, 40};
  const CollectiveTimeline timeline = timeline_of(Schedule(barrier, {.ranks = 4}), message, machine, delays);
  // Rank 3 tells rank 0, then rank 1; rank 0 tells rank 2.
  EXPECT_EQ(timeline.ready_us[0], (std::vector<double>{0, 0, 0, 40}));
  EXPECT_EQ(timeline.ready_us[1], (std::vector<double>{45, 5, 5, 45}));
  EXPECT_EQ(timeline.ready_us[2], (std::vector<double>{50, 50, 50, 50}));
  ASSERT_EQ(timeline.messages.size(), 2u);
  const Delivery& late = timeline.messages[0][3];
  EXPECT_EQ(late.from, 3);
  EXPECT_EQ(late.to, 0);
  EXPECT_EQ(late.begun_us, 40);
  EXPECT_EQ(late.ended_us, 45);
}

}  // namespace
}  // namespace commcost
