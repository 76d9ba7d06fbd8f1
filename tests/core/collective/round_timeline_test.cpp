#include "core/collective/round_timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/collective/lower_bound.h"
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

class TimelineOf : public testing::TestWithParam<Method> {
 protected:
  // Every number of ranks to 32, every group size, several pieces; with additions free and not.
  template <class Check>
  void for_each_run(Check check) {
    const bool equal_links = GetParam().algorithm == Algorithm::torus_2d;
    for (int ranks = 1; ranks <= 32; ++ranks) {
      for (const Group& group : test::groups_of(GetParam(), ranks)) {
        for (const double reduce_rate : {0.0, 1000.0}) {
          const HockneyMachine links = {.link = {5, 50},
                                        .inside = equal_links ? HockneyLink{5, 50} : HockneyLink{2, 400},
                                        .reduce_gb_per_sec = reduce_rate};
          SCOPED_TRACE(testing::Message() << ranks << " ranks, groups of " << group.group_size << ", "
                                          << group.pieces << " pieces, adding " << reduce_rate);
          check(Schedule(GetParam(), group), links);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
};

// Two trees in a single piece may be quicker: their closed form has all ranks begin a round together.
bool may_end_sooner(const Schedule& schedule) {
  const Method& method = schedule.method();
  return method.algorithm == Algorithm::double_binary_tree && method.collective != Collective::all_reduce &&
         schedule.group().pieces == 1;
}

TEST_P(TimelineOf, EndsWhenItsClosedFormSays) {
  for_each_run([](const Schedule& schedule, const HockneyMachine& links) {
    const CollectiveTimeline timeline = timeline_of(schedule, message, links, {});
    ASSERT_EQ(timeline.ready_us.size(), static_cast<std::size_t>(schedule.rounds()) + 1);
    const Counts counts = counts_of(schedule.method(), schedule.group());
    const double closed_form = hockney(counts, message, links).total_us();
    const double end = last(timeline.ready_us.back());
    ASSERT_LE(end, closed_form * (1 + 1e-12));
    Counts chunk = counts;
    chunk.path = {0, 1, 1};
    const double sooner = may_end_sooner(schedule) ? hockney(chunk, message, links).total_us() : 0;
    ASSERT_GE(end, (closed_form - sooner) * (1 - 1e-12));
  });
}

TEST_P(TimelineOf, IsNeverBelowItsLowerBound) {
  for_each_run([](const Schedule& schedule, const HockneyMachine& links) {
    const CollectiveTimeline timeline = timeline_of(schedule, message, links, {});
    ASSERT_GE(last(timeline.ready_us.back()),
              lower_bound_us(schedule.method(), schedule.group().ranks, message, links) * (1 - 1e-12));
  });
}

// When a message goes through the port of a rank.
struct Passage {
  double begun_us;
  double ended_us;
};

void expect_one_at_a_time(std::vector<Passage>& passages) {
  std::sort(passages.begin(), passages.end(),
            [](const Passage& one, const Passage& other) { return one.begun_us < other.begun_us; });
  for (std::size_t next = 1; next < passages.size(); ++next) {
    ASSERT_GE(passages[next].begun_us, passages[next - 1].ended_us - 1e-9);
  }
}

// Whatever rank is late, in each direction.
TEST_P(TimelineOf, PutsOneMessageAtATimeThroughAPort) {
  for_each_run([](const Schedule& schedule, const HockneyMachine& links) {
    const int ranks = schedule.group().ranks;
    const double rate = links.link.bandwidth_gb_per_sec;
    const HockneyMachine even = {
        .link = links.link, .inside = links.link, .reduce_gb_per_sec = links.reduce_gb_per_sec};
    for (const double delay : {0.0, 40.0}) {
      const CollectiveTimeline timeline = timeline_of(schedule, message, even, std::vector{delay});
      std::vector<std::vector<Passage>> out(static_cast<std::size_t>(ranks) + 1);
      std::vector<std::vector<Passage>> in(out);
      for (const std::vector<Delivery>& round : timeline.messages) {
        for (const Delivery& delivery : round) {
          const double latency = links.link.latency_us;
          ASSERT_GE(delivery.ended_us - delivery.begun_us, latency * (1 - 1e-12));
          out[static_cast<std::size_t>(delivery.from)].push_back(
              {delivery.begun_us, delivery.ended_us - latency});
          in[static_cast<std::size_t>(delivery.to)].push_back(
              {delivery.begun_us + latency, delivery.ended_us});
        }
      }
      double bytes = 0;
      for (std::size_t rank = 0; rank < static_cast<std::size_t>(ranks); ++rank) {
        expect_one_at_a_time(out[rank]);
        expect_one_at_a_time(in[rank]);
        double sent = 0;
        for (const Passage& passage : out[rank]) sent += (passage.ended_us - passage.begun_us) * rate * 1e3;
        bytes = std::max(bytes, sent);
      }
      // Nothing is squeezed: the ports are busy for all that is sent.
      const Counts counts = counts_of(schedule.method(), schedule.group());
      ASSERT_NEAR(bytes, message * counts.sent / counts.parts, message * 1e-9);
    }
  });
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
            if (delivery.from == ranks) continue;  // a switch does not wait
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

// The root's port takes the blocks one after the other; each sender is done when its own has arrived.
TEST(Timeline, OfADirectGatherQueuesAtItsRoot) {
  const Method& gather = *find_method(Collective::gather, Algorithm::direct);
  for (int ranks = 2; ranks <= 9; ++ranks) {
    const CollectiveTimeline timeline = timeline_of(Schedule(gather, {.ranks = ranks}), message, machine, {});
    const double block_us = message / ranks / 50e3;
    EXPECT_NEAR(timeline.ready_us.back()[0], 5 + (ranks - 1) * block_us, 1e-9);
    for (std::size_t rank = 1; rank < static_cast<std::size_t>(ranks); ++rank) {
      EXPECT_NEAR(timeline.ready_us.back()[rank],
                  5 + static_cast<double>(ranks - static_cast<int>(rank)) * block_us, 1e-9);
    }
  }
}

// Rank 2 has nothing to do in the first round, but the root's port is busy with what rank 1 sends:
// 2 (5 us + 100 MB / (100 GB/s)).
TEST(Timeline, OfAReduceUpATreeQueuesAtItsRoot) {
  const Method& reduce = *find_method(Collective::reduce, Algorithm::binomial_tree);
  const HockneyMachine links = {.link = {5, 100}, .inside = {5, 100}};
  const CollectiveTimeline timeline = timeline_of(Schedule(reduce, {.ranks = 3}), 1e8, links, {});
  EXPECT_EQ(timeline.ready_us.back(), (std::vector<double>{2010, 1005, 2010}));
  EXPECT_EQ(timeline.messages[1][0].from, 2);
  EXPECT_EQ(timeline.messages[1][0].begun_us, 1005);
}

// 5 us and 1 MB over 100 GB/s, then added at half a GB/s.
TEST(Timeline, OfAReduceAddsAsSlowlyAsItsRank) {
  const Method& reduce = *find_method(Collective::reduce, Algorithm::binomial_tree);
  const HockneyMachine links = {.link = {5, 100}, .inside = {5, 100}, .reduce_gb_per_sec = 0.5};
  const CollectiveTimeline timeline = timeline_of(Schedule(reduce, {.ranks = 2}), 1e6, links, {});
  EXPECT_EQ(timeline.ready_us.back(), (std::vector<double>{2015, 15}));
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
