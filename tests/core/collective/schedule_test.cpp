#include "core/collective/schedule.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "support/methods.h"

namespace commcost {
namespace {

std::vector<std::string> phases_of(Collective collective, Algorithm algorithm, int ranks) {
  const Schedule schedule(*find_method(collective, algorithm), {.ranks = ranks, .group_size = 2});
  std::vector<std::string> phases;
  for (int round = 0; round < schedule.rounds(); ++round) phases.emplace_back(schedule.phase_of(round));
  return phases;
}

TEST(Schedule, NamesThePhaseOfEachRound) {
  EXPECT_EQ(phases_of(Collective::all_reduce, Algorithm::ring, 3),
            (std::vector<std::string>{"reduce_scatter", "reduce_scatter", "all_gather", "all_gather"}));
  EXPECT_EQ(phases_of(Collective::all_reduce, Algorithm::recursive_doubling, 4),
            (std::vector<std::string>{"exchange", "exchange"}));
  EXPECT_EQ(phases_of(Collective::all_reduce, Algorithm::recursive_doubling, 3),
            (std::vector<std::string>{"fold", "exchange", "unfold"}));
  EXPECT_EQ(phases_of(Collective::all_reduce, Algorithm::two_level, 4),
            (std::vector<std::string>{"reduce_scatter_inside", "reduce_scatter_across", "all_gather_across",
                                      "all_gather_inside"}));
}

TEST(Schedule, HasNoRoundsForOneRank) {
  for (const Method& method : all_methods()) {
    EXPECT_EQ(Schedule(method, {.ranks = 1}).rounds(), 0) << name_of(method);
  }
}

TEST(Schedule, GivesEveryChunkASlotThatNoOtherOfARankTakes) {
  for (const Method& method : all_methods()) {
    const Schedule schedule(method, {.ranks = 6, .group_size = 3, .pieces = 2});
    for (int rank = 0; rank < 6; ++rank) {
      for (const bool at_end : {false, true}) {
        std::set<int> taken;
        for (int chunk = 0; chunk < schedule.group().chunks; ++chunk) {
          const Holders holders = at_end ? schedule.holders_at_end(chunk) : schedule.holders_at_start(chunk);
          if (!holders.has(rank)) continue;
          EXPECT_GE(schedule.slot_of(chunk), 0) << name_of(method);
          EXPECT_LT(schedule.slot_of(chunk), schedule.chunks_per_message()) << name_of(method);
          EXPECT_TRUE(taken.insert(schedule.slot_of(chunk)).second) << name_of(method);
        }
      }
    }
  }
}

}  // namespace
}  // namespace commcost
