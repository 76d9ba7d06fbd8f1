#include "core/collective/method.h"

#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "support/methods.h"

namespace commcost {
namespace {

TEST(Methods, StandInTheTableOnceEach) {
  std::set<std::pair<Collective, Algorithm>> seen;
  for (const Method& method : all_methods()) {
    EXPECT_TRUE(seen.emplace(method.collective, method.algorithm).second) << name_of(method);
    EXPECT_EQ(find_method(method.collective, method.algorithm), &method);
  }
}

TEST(Methods, ServeEveryCollectiveAndUseEveryAlgorithm) {
  std::set<Collective> collectives;
  std::set<Algorithm> algorithms;
  for (const Method& method : all_methods()) {
    collectives.insert(method.collective);
    algorithms.insert(method.algorithm);
  }
  EXPECT_EQ(collectives.size(), std::size(collective_names));
  EXPECT_EQ(algorithms.size(), std::size(algorithm_names));
}

TEST(Methods, NameWhatThereIsWhereThereIsNone) {
  const auto method = method_for(Collective::gather, Algorithm::bruck);
  ASSERT_FALSE(method);
  EXPECT_EQ(method.problems().front().field, "algorithm");
  EXPECT_EQ(method.problems().front().code, ProblemCode::inconsistent);
  EXPECT_EQ(method.problems().front().message,
            "bruck is not defined for gather; gather has: binomial_tree, direct");
  EXPECT_EQ(method.problems().front().allowed, "one of binomial_tree, direct");
}

TEST(Methods, KeepTheNamesInTheEnumsOrder) {
  EXPECT_EQ(name_of(Collective::all_reduce), "all_reduce");
  EXPECT_EQ(name_of(Collective::send_receive), "send_receive");
  EXPECT_EQ(name_of(Collective::barrier), "barrier");
  EXPECT_EQ(name_of(Algorithm::ring), "ring");
  EXPECT_EQ(name_of(Algorithm::bruck), "bruck");
  EXPECT_EQ(name_of(Algorithm::dissemination), "dissemination");
  EXPECT_EQ(name_of(Algorithm::in_network), "in_network");
}

}  // namespace
}  // namespace commcost
