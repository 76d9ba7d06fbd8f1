#include "core/collective/lower_bound.h"

#include <gtest/gtest.h>

#include "support/methods.h"

namespace commcost {
namespace {

Counts bound_of(Collective collective, Algorithm algorithm, int ranks) {
  return lower_bound(*find_method(collective, algorithm), ranks);
}

// Chan et al. 2007, Table I, for 6 ranks, in sixths of the message.
TEST(LowerBound, IsThatOfChanAndOthers) {
  struct Row {
    Collective collective;
    Algorithm algorithm;
    double rounds, sent, reduced;
  };
  for (const Row& row : {
           Row{Collective::broadcast, Algorithm::binomial_tree, 3, 6, 0},
           Row{Collective::reduce, Algorithm::binomial_tree, 3, 6, 5},
           Row{Collective::scatter, Algorithm::binomial_tree, 3, 5, 0},
           Row{Collective::gather, Algorithm::binomial_tree, 3, 5, 0},
           Row{Collective::all_gather, Algorithm::ring, 3, 5, 0},
           Row{Collective::reduce_scatter, Algorithm::ring, 3, 5, 5},
           Row{Collective::all_reduce, Algorithm::ring, 3, 10, 5},
           Row{Collective::barrier, Algorithm::dissemination, 3, 0, 0},
       }) {
    const Counts bound = bound_of(row.collective, row.algorithm, 6);
    EXPECT_EQ(bound.parts, 6) << name_of(row.collective);
    EXPECT_EQ(bound.path.rounds, row.rounds) << name_of(row.collective);
    EXPECT_EQ(bound.path.chunks, row.sent) << name_of(row.collective);
    EXPECT_EQ(bound.path.reduced, row.reduced) << name_of(row.collective);
  }
}

TEST(LowerBound, IsLessWithMorePorts) {
  EXPECT_EQ(bound_of(Collective::all_reduce, Algorithm::double_binary_tree, 27).path.rounds, 3);
  EXPECT_EQ(bound_of(Collective::all_reduce, Algorithm::double_binary_tree, 28).path.rounds, 4);
  EXPECT_EQ(bound_of(Collective::all_reduce, Algorithm::direct, 27).path.rounds, 1);
}

TEST(LowerBound, IsOneMessageWhereASwitchAdds) {
  const Counts bound = bound_of(Collective::all_reduce, Algorithm::in_network, 8);
  EXPECT_EQ(bound.path.chunks / bound.parts, 1);
  EXPECT_EQ(bound.path.reduced, 0);
}

TEST(LowerBound, TakesTheQuickestLinkWhereGroupsHaveTheirOwn) {
  HockneyMachine machine;
  machine.link = {10, 50};
  machine.inside = {2, 400};
  const Method& two_level = *find_method(Collective::all_reduce, Algorithm::two_level);
  EXPECT_DOUBLE_EQ(lower_bound_us(two_level, 8, 1e6, machine), 3 * 2 + 1.75e6 / 400e3);
  const Method& ring = *find_method(Collective::all_reduce, Algorithm::ring);
  EXPECT_DOUBLE_EQ(lower_bound_us(ring, 8, 1e6, machine), 3 * 10 + 1.75e6 / 50e3);
}

TEST(LowerBound, IsReachedInBytesByTheRing) {
  for (int ranks = 2; ranks <= 100; ++ranks) {
    const Method& ring = *find_method(Collective::all_reduce, Algorithm::ring);
    EXPECT_EQ(counts_of(ring, {.ranks = ranks}).sent, lower_bound(ring, ranks).sent);
  }
}

}  // namespace
}  // namespace commcost
