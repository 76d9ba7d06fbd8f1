#include "core/plan/ranking.h"

#include <gtest/gtest.h>

#include "core/base/units.h"

namespace commcost {
namespace {

constexpr double ms = 1e3;  // us

// Ranks layouts of those divisions, times and memories, each with its place as micro-batch.
class Ranked {
 public:
  explicit Ranked(std::size_t wanted) : ranking(wanted, 8, 10 * gib, 8 * gib) {}

  bool add(double step_ms, double memory_gib, std::uint32_t division = 0, std::int64_t chunks = 1) {
    ++count_;
    return ranking.consider(division, {step_ms * ms, memory_gib * gib}, [&] {
      PlannedLayout row;
      row.job.work.batch_size = count_;
      row.job.layout.virtual_stages = chunks;
      // A division in more ways has a greater number.
      row.job.layout.tensor_parallel = division > 0 ? 2 : 1;
      row.job.layout.pipeline_parallel = division > 3 ? 2 : 1;
      row.division = division;
      row.step_time_ms = step_ms;
      row.memory_gib = memory_gib;
      row.is_tight = memory_gib > 8;
      ++rows_made;
      return row;
    });
  }
  static std::vector<std::int64_t> places(const std::vector<PlannedLayout>& rows) {
    std::vector<std::int64_t> found;
    for (const PlannedLayout& row : rows) found.push_back(row.job.work.batch_size);
    return found;
  }

  Ranking ranking;
  int rows_made = 0;

 private:
  std::int64_t count_ = 0;
};

using Places = std::vector<std::int64_t>;

TEST(Ranking, ListsTheFastestFamiliesAndThoseWithoutHeadroomBehindThem) {
  Ranked ranked(3);
  EXPECT_TRUE(ranked.add(4, 5, 0));
  EXPECT_TRUE(ranked.add(1, 9, 1));  // tight
  EXPECT_TRUE(ranked.add(3, 6, 2));
  EXPECT_TRUE(ranked.add(5, 7, 3));
  EXPECT_EQ(Ranked::places(ranked.ranking.best()), (Places{3, 1, 4}));
  EXPECT_DOUBLE_EQ(ranked.ranking.fastest()->step_time_ms, 3);
  EXPECT_TRUE(ranked.add(2, 7, 1));  // the tight family has a layout that leaves headroom
  EXPECT_EQ(Ranked::places(ranked.ranking.best()), (Places{5, 3, 1}));
}

TEST(Ranking, ListsAFamilyAsTheSimplestThatTiesWithItsFastest) {
  Ranked ranked(3);
  ranked.add(100, 5, 0, 4);
  ranked.add(103, 5, 0, 2);
  ranked.add(104, 5, 0, 1);  // no tie
  EXPECT_EQ(Ranked::places(ranked.ranking.best()), Places{2});
  ranked.add(102, 6, 0, 2);  // as simple, but less room
  EXPECT_EQ(Ranked::places(ranked.ranking.best()), Places{2});
  ranked.add(99, 6, 0, 4);  // now the second is no tie any more, and the fourth is
  EXPECT_EQ(Ranked::places(ranked.ranking.best()), Places{4});
}

TEST(Ranking, ListsTheSimplestOfFamiliesThatTieFirst) {
  Ranked ranked(2);
  ranked.add(100, 5, 5);
  ranked.add(103, 5, 1);
  EXPECT_EQ(Ranked::places(ranked.ranking.best()), (Places{2, 1}));
  // Each ties with the fastest of all, not only with its own family's.
  ranked.add(105, 5, 1, 1);
  ranked.add(102, 4, 0);
  ranked.add(101, 5, 4);
  EXPECT_EQ(Ranked::places(ranked.ranking.best()), (Places{4, 2}));
  ranked.add(90, 5, 6);
  EXPECT_EQ(Ranked::places(ranked.ranking.best()), (Places{6, 1}));
}

TEST(Ranking, FrontHoldsWhatNoneBeatsInBothTimeAndMemory) {
  Ranked ranked(1);
  ranked.add(4, 5);
  ranked.add(2, 7);
  ranked.add(3, 8);  // beaten by the second
  ranked.add(3, 6);
  ranked.add(1, 7);  // beats the second
  EXPECT_EQ(Ranked::places(ranked.ranking.pareto_front()), (Places{5, 4, 1}));
}

TEST(Ranking, WhatDoesNotFitIsAtMostTheSmallest) {
  Ranked ranked(2);
  EXPECT_FALSE(ranked.add(1, 12));
  EXPECT_FALSE(ranked.add(1, 11));
  EXPECT_FALSE(ranked.add(1, 13));
  EXPECT_TRUE(ranked.ranking.best().empty());
  EXPECT_DOUBLE_EQ(ranked.ranking.smallest().memory_gib, 11);
  EXPECT_EQ(ranked.ranking.smallest_bytes(), 11 * gib);
}

TEST(Ranking, MakesRowsOfThoseAloneThatItKeeps) {
  Ranked ranked(1);
  ranked.add(1, 5);
  const int made = ranked.rows_made;
  for (int more = 0; more < 100; ++more) ranked.add(2 + more, 6);
  EXPECT_EQ(ranked.rows_made, made);
}

TEST(Ranking, FrontKeepsTheSmallerOfEquallyQuickOnesThoughTheOtherIsSimpler) {
  Ranked ranked(1);
  ranked.add(2, 5, 1);
  ranked.add(2, 6, 0);
  EXPECT_EQ(Ranked::places(ranked.ranking.pareto_front()), (Places{1}));
}

TEST(Ranking, FrontHoldsThePlainestOfThoseThatAreAlike) {
  Ranked ranked(8);
  ranked.add(2, 5, 4, 2);
  ranked.add(1, 7, 1, 2);
  ranked.add(2, 5, 5, 2);
  ranked.add(3, 5, 6, 1);  // slower
  ranked.add(2, 6, 3, 1);  // larger
  EXPECT_EQ(Ranked::places(ranked.ranking.pareto_front()), (Places{2, 1}));
  ranked.add(2, 5, 7, 1);
  EXPECT_EQ(Ranked::places(ranked.ranking.pareto_front()), (Places{2, 6}));
}

TEST(Ranking, KnowsWhatCannotMatter) {
  Ranked ranked(1);
  EXPECT_FALSE(ranked.ranking.cannot_matter(0, {9 * ms, 9 * gib}));
  ranked.add(2, 5);
  EXPECT_TRUE(ranked.ranking.cannot_matter(0, {3 * ms, 5 * gib}));
  EXPECT_FALSE(ranked.ranking.cannot_matter(0, {2.06 * ms, 5 * gib}));  // may be simpler
  EXPECT_FALSE(ranked.ranking.cannot_matter(0, {3 * ms, 4 * gib}));
  EXPECT_FALSE(ranked.ranking.cannot_matter(1, {1 * ms, 6 * gib}));
  EXPECT_TRUE(ranked.ranking.cannot_matter(1, {3 * ms, 5 * gib}));
}

TEST(Ranking, ASlowFamilyMattersAsLongAsFewAreKnown) {
  Ranked ranked(2);
  ranked.add(2, 5, 0);
  EXPECT_TRUE(ranked.ranking.cannot_matter(0, {9 * ms, 5 * gib}));
  EXPECT_FALSE(ranked.ranking.cannot_matter(1, {9 * ms, 5 * gib}));
  ranked.add(3, 5, 1);
  EXPECT_FALSE(ranked.ranking.cannot_matter(2, {3.1 * ms, 5 * gib}));
  EXPECT_TRUE(ranked.ranking.cannot_matter(2, {3.2 * ms, 5 * gib}));
}

// However many there are, the sample stays as long as a picture needs, and reaches to the last of them.
TEST(Ranking, SamplesAllThatFitEvenly) {
  Ranked ranked(1);
  constexpr int many = 100000;
  for (int at = 1; at <= many; ++at) ranked.add(at, 5 + at * 0x1p-17);
  const std::vector<double>& sample = ranked.ranking.sampled();
  ASSERT_GE(sample.size(), 4096U);
  EXPECT_LE(sample.size(), 8192U);
  const double step = sample[2] - sample[0];
  EXPECT_GT(sample[sample.size() - 2], many - 2 * step);
  for (std::size_t at = 2; at < sample.size(); at += 2) {
    ASSERT_EQ(sample[at] - sample[at - 2], step) << at;
    ASSERT_EQ(sample[at + 1], 5 + sample[at] * 0x1p-17) << at;
  }
}

}  // namespace
}  // namespace commcost
