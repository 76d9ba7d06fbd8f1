#include "core/collective/token_exchange.h"

#include <gtest/gtest.h>

#include <bit>
#include <vector>

namespace commcost {
namespace {

// Every choice of groups and of experts within them, counted one by one.
double counted(int places, int experts, int visits, int groups, int routed) {
  double met = 0, choices = 0;
  for (unsigned open = 0; open < 1u << groups; ++open) {
    if (std::popcount(open) != routed) continue;
    for (unsigned chosen = 0; chosen < 1u << experts; ++chosen) {
      if (std::popcount(chosen) != visits) continue;
      unsigned seen = 0;
      bool allowed = true;
      for (int expert = 0; expert < experts; ++expert) {
        if ((chosen >> expert & 1) == 0) continue;
        allowed = allowed && (open >> expert * groups / experts & 1) != 0;
        seen |= 1u << expert * places / experts;
      }
      if (!allowed) continue;
      met += std::popcount(seen);
      ++choices;
    }
  }
  return met / choices;
}

TEST(TokenExchange, MeetsAsManyPlacesAsCounting) {
  for (const int groups : {1, 2, 4, 8}) {
    for (int routed = 1; routed <= groups; ++routed) {
      for (const int places : {2, 4, 8}) {
        for (const int visits : {1, 2, 3, 5}) {
          if (visits > 8 / groups * routed) continue;
          const Routing routing{8, static_cast<double>(visits), static_cast<double>(groups),
                                static_cast<double>(routed)};
          EXPECT_NEAR(places_met(places, routing), counted(places, 8, visits, groups, routed), 1e-12)
              << places << " places, " << visits << " of " << routed << " of " << groups << " groups";
        }
      }
    }
  }
}

// Mixtral's two experts on two of eight ranks: never one copy for both.
TEST(TokenExchange, ExpertsOfATokenDiffer) {
  EXPECT_DOUBLE_EQ(places_met(8, {8, 2, 1, 1}), 2);
}

// DeepSeek-V3 on 64 ranks in eight nodes: each token to at most four nodes (arXiv:2412.19437, section 2.1.2),
// one copy each over InfiniBand, an eighth of which stay; without that limit to 8 (1 - C(224, 8) / C(256, 8))
// = 5.3; an all-to-all sends 8 * 7/8 = 7.
TEST(TokenExchange, OfDeepSeekV3) {
  const Routing limited{256, 8, 8, 4};
  const double met = token_copies(ExchangeKernel::normal, limited, 64, 8).network * 8 / 7;
  EXPECT_LE(met, 4);
  EXPECT_NEAR(met, 4, 0.4);
  EXPECT_NEAR(token_copies(ExchangeKernel::normal, {256, 8, 1, 1}, 64, 8).network, 5.3 * 7 / 8, 0.03);
  EXPECT_DOUBLE_EQ(token_copies(ExchangeKernel::nccl, limited, 64, 8).network, 7);
  // Over 256 ranks a group lies on four nodes, and fewer copies are saved.
  EXPECT_GT(token_copies(ExchangeKernel::normal, limited, 256, 32).network, 1.5 * met);
}

TEST(TokenExchange, InOneDomainNothingCrossesTheNetwork) {
  for (const ExchangeKernel kernel :
       {ExchangeKernel::nccl, ExchangeKernel::by_rank, ExchangeKernel::normal}) {
    const TokenCopies copies = token_copies(kernel, {64, 6, 1, 1}, 8, 1);
    EXPECT_EQ(copies.network, 0);
    EXPECT_GT(copies.inside, 0);
  }
  EXPECT_DOUBLE_EQ(token_copies(ExchangeKernel::nccl, {64, 6, 1, 1}, 8, 1).inside, 6 * 7.0 / 8);
}

}  // namespace
}  // namespace commcost
