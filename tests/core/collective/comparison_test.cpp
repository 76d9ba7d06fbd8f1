#include "core/collective/comparison.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/base/units.h"
#include "support/methods.h"

namespace commcost {
namespace {

HockneyMachine machine_of(double latency_us, double bandwidth_gb_per_sec, double reduce_gb_per_sec = 0) {
  const HockneyLink link = {latency_us, bandwidth_gb_per_sec};
  return {link, link, reduce_gb_per_sec};
}

const Crossover* between(const Comparison& comparison, Algorithm below, Algorithm above) {
  for (const Crossover& crossover : comparison.crossovers) {
    if (crossover.quicker_below == below && crossover.quicker_above == above) return &crossover;
  }
  return nullptr;
}

TEST(Comparison, FindsWhereRecursiveDoublingLosesToTheRing) {
  // alpha/beta·(2(p-1) - lg p)/(lg p - 2(p-1)/p) at gamma 0.
  for (int lg = 2; lg <= 20; ++lg) {
    const int ranks = 1 << lg;
    for (const double latency_us : {0.5, 5.0, 20.0}) {
      const Comparison comparison =
          compare(Collective::all_reduce, {.ranks = ranks, .pieces = 0}, machine_of(latency_us, 50), false);
      const Crossover* found = between(comparison, Algorithm::recursive_doubling, Algorithm::ring);
      ASSERT_NE(found, nullptr) << ranks;
      const double turns = 2.0 * (ranks - 1);
      const double expected = latency_us * 50e3 * (turns - lg) / (lg - turns / ranks);
      EXPECT_NEAR(found->message_size_bytes, expected, expected * 1e-9) << ranks;
    }
  }
}

TEST(Comparison, MeetsWhereBothTakeTheSameTime) {
  for (const Collective collective :
       {Collective::all_reduce, Collective::broadcast, Collective::all_to_all, Collective::reduce}) {
    const Group group = {.ranks = 24, .group_size = 8, .pieces = 4};
    const HockneyMachine machine = machine_of(5, 50, 1000);
    const Comparison comparison = compare(collective, group, machine, false);
    EXPECT_FALSE(comparison.crossovers.empty());
    for (const Crossover& crossover : comparison.crossovers) {
      const auto time = [&](Algorithm algorithm, double size) {
        return hockney(counts_of(*find_method(collective, algorithm), group), size, machine).total_us();
      };
      const double size = crossover.message_size_bytes;
      EXPECT_NEAR(time(crossover.quicker_below, size), crossover.time_us, crossover.time_us * 1e-9);
      EXPECT_NEAR(time(crossover.quicker_above, size), crossover.time_us, crossover.time_us * 1e-9);
      EXPECT_LT(time(crossover.quicker_below, size * 0.9), time(crossover.quicker_above, size * 0.9));
      EXPECT_GT(time(crossover.quicker_below, size * 1.1), time(crossover.quicker_above, size * 1.1));
    }
  }
}

TEST(Comparison, ListsTheQuickestWithoutGaps) {
  for (std::size_t index = 0; index < std::size(collective_names); ++index) {
    const auto collective = static_cast<Collective>(index);
    for (const bool one_port : {false, true}) {
      const Group group = {.ranks = 24, .group_size = 8, .pieces = 0};
      const Comparison comparison = compare(collective, group, machine_of(5, 50, 1000), one_port);
      ASSERT_FALSE(comparison.quickest.empty()) << name_of(collective);
      EXPECT_EQ(comparison.quickest.front().from_bytes, 1);
      EXPECT_EQ(comparison.quickest.back().to_bytes, greatest_exact_whole);
      for (std::size_t i = 1; i < comparison.quickest.size(); ++i) {
        EXPECT_EQ(comparison.quickest[i].from_bytes, comparison.quickest[i - 1].to_bytes);
        EXPECT_NE(comparison.quickest[i].algorithm, comparison.quickest[i - 1].algorithm);
      }
    }
  }
}

TEST(Comparison, OfAllReducesGoesFromDoublingToRabenseifner) {
  const Comparison comparison =
      compare(Collective::all_reduce, {.ranks = 16, .group_size = 4, .pieces = 0}, machine_of(5, 50), true);
  ASSERT_EQ(comparison.quickest.size(), 2u);
  EXPECT_EQ(comparison.quickest[0].algorithm, Algorithm::recursive_doubling);
  EXPECT_EQ(comparison.quickest[1].algorithm, Algorithm::rabenseifner);
}

TEST(Comparison, LeavesOutWhatNeedsMoreThanAPort) {
  const Group group = {.ranks = 16, .pieces = 0};
  for (const QuickestRange& range :
       compare(Collective::all_reduce, group, machine_of(5, 50), true).quickest) {
    EXPECT_EQ(find_method(Collective::all_reduce, range.algorithm)->ports, 1);
    EXPECT_NE(range.algorithm, Algorithm::in_network);
  }
  EXPECT_EQ(compare(Collective::all_reduce, group, machine_of(5, 50), false).quickest.front().algorithm,
            Algorithm::direct);
}

TEST(Comparison, FindsNoneBetweenAlgorithmsThatCostTheSame) {
  const Comparison comparison =
      compare(Collective::reduce_scatter, {.ranks = 7, .pieces = 0}, machine_of(5, 50), true);
  EXPECT_EQ(between(comparison, Algorithm::ring, Algorithm::pairwise), nullptr);
  EXPECT_EQ(between(comparison, Algorithm::pairwise, Algorithm::ring), nullptr);
}

TEST(Comparison, OfOneRankIsADraw) {
  const Comparison comparison = compare(Collective::all_reduce, {.ranks = 1}, machine_of(5, 50), false);
  EXPECT_TRUE(comparison.crossovers.empty());
  ASSERT_EQ(comparison.quickest.size(), 1u);
  const auto first = std::find_if(all_methods().begin(), all_methods().end(), [](const Method& method) {
    return method.collective == Collective::all_reduce;
  });
  EXPECT_EQ(comparison.quickest[0].algorithm, first->algorithm);
}

}  // namespace
}  // namespace commcost
