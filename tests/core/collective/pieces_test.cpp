#include "core/collective/pieces.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/methods.h"

namespace commcost {
namespace {

constexpr HockneyMachine one_network = {.link = {5, 50}, .inside = {5, 50}, .reduce_gb_per_sec = 1000};

double time_us(const Method& method, Group group, int pieces, double message) {
  group.pieces = pieces;
  return hockney(counts_of(method, group), message, one_network).total_us();
}

TEST(BestPieces, AreQuickerThanAllOthers) {
  for (const Method& method : all_methods()) {
    if (!method.pipelined) continue;
    for (const int ranks : {2, 3, 8, 13, 64}) {
      for (const double message : {1.0, 1e4, 1e6, 1e8}) {
        const Group group = {.ranks = ranks};
        double least = time_us(method, group, 1, message);
        for (int pieces = 2; pieces <= std::min(5000.0, message); ++pieces) {
          least = std::min(least, time_us(method, group, pieces, message));
        }
        const int best = best_pieces(method, group, message, one_network);
        EXPECT_LE(time_us(method, group, best, message), least * (1 + 1e-9))
            << name_of(method) << ' ' << ranks << ' ' << message << " in " << best;
      }
    }
  }
}

TEST(BestPieces, AreAtMostOneAByte) {
  HockneyMachine no_latency = one_network;
  no_latency.link.latency_us = 0;
  const Method& chain = *find_method(Collective::broadcast, Algorithm::ring);
  EXPECT_EQ(best_pieces(chain, {.ranks = 8}, 10, no_latency), 10);
  EXPECT_EQ(best_pieces(chain, {.ranks = 8}, 1e12, no_latency), most_pieces);
}

TEST(BestPieces, IsOneWherePiecesGainNothing) {
  HockneyMachine no_latency = one_network;
  no_latency.link.latency_us = 0;
  const Method& chain = *find_method(Collective::broadcast, Algorithm::ring);
  EXPECT_EQ(best_pieces(chain, {.ranks = 2}, 1 << 20, no_latency), 1);
}

TEST(WithPieces, KeepsWhatIsGivenAndChoosesTheRest) {
  const Method& chain = *find_method(Collective::broadcast, Algorithm::ring);
  const Method& tree = *find_method(Collective::broadcast, Algorithm::binomial_tree);
  EXPECT_EQ(with_pieces(chain, {.ranks = 8, .pieces = 3}, 1e6, one_network).pieces, 3);
  EXPECT_GT(with_pieces(chain, {.ranks = 8, .pieces = 0}, 1e6, one_network).pieces, 1);
  EXPECT_EQ(with_pieces(tree, {.ranks = 8, .pieces = 3}, 1e6, one_network).pieces, 1);
}

}  // namespace
}  // namespace commcost
