#include "core/collective/cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "support/csv.h"
#include "support/methods.h"

namespace commcost {
namespace {

CollectiveCostInputs inputs_for(const Method& method, int ranks) {
  CollectiveCostInputs inputs;
  inputs.collective = method.collective;
  inputs.algorithm = method.algorithm;
  inputs.ranks = ranks;
  inputs.message_size_bytes = 1 << 20;
  inputs.latency_us = 5;
  inputs.bandwidth_gb_per_sec = 50;
  inputs.reduce_gb_per_sec = 1000;
  return inputs;
}

CollectiveCostInputs ring_inputs(int ranks) {
  return inputs_for(*find_method(Collective::all_reduce, Algorithm::ring), ranks);
}

template <class Names>
int index_in(const Names& names, const std::string& name) {
  return static_cast<int>(std::find(std::begin(names), std::end(names), name) - std::begin(names));
}

TEST(CollectiveCost, AgreesWithWorkedFigures) {
  for (const auto& row : test::read_csv(test::data_file("collective_costs.csv"))) {
    CollectiveCostInputs inputs;
    inputs.collective = static_cast<Collective>(index_in(collective_names, row.at("collective")));
    inputs.algorithm = static_cast<Algorithm>(index_in(algorithm_names, row.at("algorithm")));
    inputs.ranks = static_cast<int>(row.number("ranks"));
    inputs.message_size_bytes = row.number("message_size_bytes");
    inputs.latency_us = row.number("latency_us");
    inputs.bandwidth_gb_per_sec = row.number("bandwidth_gb_per_sec");
    inputs.reduce_gb_per_sec = row.number("reduce_gb_per_sec");
    const auto cost = collective_cost(inputs);
    ASSERT_TRUE(cost) << row.line();
    EXPECT_EQ(cost->rounds, row.number("rounds")) << row.line();
    // The figures have six digits.
    EXPECT_NEAR(cost->time_us, row.number("time_us"), row.number("time_us") * 2e-6) << row.line();
  }
}

class CostOf : public testing::TestWithParam<Method> {};

TEST_P(CostOf, IsNothingForOneRank) {
  const auto cost = collective_cost(inputs_for(GetParam(), 1));
  ASSERT_TRUE(cost);
  EXPECT_EQ(cost->rounds, 0);
  EXPECT_EQ(cost->sent_bytes_per_rank, 0);
  EXPECT_EQ(cost->reduced_bytes_per_rank, 0);
  EXPECT_EQ(cost->time_us, 0);
  EXPECT_EQ(cost->algorithm_bandwidth_gb_per_sec, 0);
  EXPECT_EQ(cost->bus_bandwidth_gb_per_sec, 0);
  EXPECT_EQ(cost->lower_bound_us, 0);
}

TEST_P(CostOf, IsFiniteAndNotBelowTheLowerBound) {
  for (int ranks = 2; ranks <= 1048576; ranks = ranks * 3 / 2 + 1) {
    for (const double message : {1.0, 1000.0, 1e9, 9007199254740991.0}) {
      CollectiveCostInputs inputs = inputs_for(GetParam(), ranks);
      inputs.message_size_bytes = message;
      const auto cost = collective_cost(inputs);
      ASSERT_TRUE(cost);
      ASSERT_TRUE(std::isfinite(cost->time_us));
      ASSERT_GE(cost->time_us, cost->lower_bound_us * (1 - 1e-12)) << ranks << ' ' << message;
      ASSERT_GT(cost->lower_bound_us, 0);
    }
  }
}

TEST_P(CostOf, GrowsWithMessageLatencyAndSlowness) {
  const CollectiveCostInputs inputs = inputs_for(GetParam(), 12);
  const double time = collective_cost(inputs).value().time_us;
  CollectiveCostInputs larger = inputs;
  larger.message_size_bytes *= 2;
  CollectiveCostInputs later = inputs;
  later.latency_us *= 2;
  CollectiveCostInputs slower = inputs;
  slower.bandwidth_gb_per_sec /= 2;
  EXPECT_GT(collective_cost(later).value().time_us, time);
  const bool weightless = GetParam().collective == Collective::barrier;
  if (weightless) {
    EXPECT_EQ(collective_cost(larger).value().time_us, time);
    EXPECT_EQ(collective_cost(slower).value().time_us, time);
  } else {
    EXPECT_GT(collective_cost(larger).value().time_us, time);
    EXPECT_GT(collective_cost(slower).value().time_us, time);
  }
}

TEST_P(CostOf, ScalesWithItsUnits) {
  CollectiveCostInputs inputs = inputs_for(GetParam(), 12);
  const double time = collective_cost(inputs).value().time_us;
  // Twice as slow in everything takes twice as long, to the last bit.
  inputs.latency_us *= 2;
  inputs.bandwidth_gb_per_sec /= 2;
  inputs.reduce_gb_per_sec /= 2;
  EXPECT_EQ(collective_cost(inputs).value().time_us, 2 * time);
}

TEST_P(CostOf, SplitsTimeIntoItsParts) {
  const CollectiveCost cost = collective_cost(inputs_for(GetParam(), 24)).value();
  EXPECT_EQ(cost.time_us, cost.latency_time_us + cost.transfer_time_us + cost.reduce_time_us);
  EXPECT_EQ(cost.latency_time_us, 5 * cost.rounds);
}

TEST_P(CostOf, NamesItsFormAndSource) {
  const CollectiveCost cost = collective_cost(inputs_for(GetParam(), 2)).value();
  EXPECT_FALSE(cost.form.empty());
  EXPECT_FALSE(cost.source.empty());
}

INSTANTIATE_TEST_SUITE_P(Methods, CostOf, testing::ValuesIn(all_methods().begin(), all_methods().end()),
                         test::MethodName());

TEST(CollectiveCost, CountsARingsBytesExactly) {
  CollectiveCostInputs inputs = ring_inputs(8);
  inputs.message_size_bytes = 134217728;
  const CollectiveCost cost = collective_cost(inputs).value();
  EXPECT_EQ(cost.sent_bytes_per_rank, 234881024);
  EXPECT_EQ(cost.reduced_bytes_per_rank, 117440512);
}

TEST(CollectiveCost, MeasuresBandwidthAsNcclTestsDoes) {
  CollectiveCostInputs inputs = ring_inputs(8);
  inputs.latency_us = inputs.reduce_gb_per_sec = 0;
  const CollectiveCost cost = collective_cost(inputs).value();
  EXPECT_DOUBLE_EQ(cost.algorithm_bandwidth_gb_per_sec, 50 / 1.75);
  EXPECT_DOUBLE_EQ(cost.bus_bandwidth_gb_per_sec, 50);
  EXPECT_DOUBLE_EQ(cost.time_us, cost.lower_bound_us);
}

TEST(CollectiveCost, OfAnAllReduceIsThatOfItsHalves) {
  for (const Algorithm algorithm : {Algorithm::ring, Algorithm::two_level}) {
    CollectiveCostInputs inputs = ring_inputs(24);
    inputs.algorithm = algorithm;
    const CollectiveCost whole = collective_cost(inputs).value();
    inputs.collective = Collective::reduce_scatter;
    const CollectiveCost first = collective_cost(inputs).value();
    inputs.collective = Collective::all_gather;
    const CollectiveCost second = collective_cost(inputs).value();
    EXPECT_EQ(whole.sent_bytes_per_rank, first.sent_bytes_per_rank + second.sent_bytes_per_rank);
    EXPECT_DOUBLE_EQ(whole.time_us, first.time_us + second.time_us);
  }
}

TEST(CollectiveCost, OfTwoLevelsIsTheFlatRingsInBytesWhereLinksAreEqual) {
  CollectiveCostInputs inputs = ring_inputs(32);
  inputs.latency_us = 0;
  const CollectiveCost flat = collective_cost(inputs).value();
  inputs.algorithm = Algorithm::two_level;
  for (inputs.group_size = 1; inputs.group_size <= 32; inputs.group_size *= 2) {
    const CollectiveCost cost = collective_cost(inputs).value();
    EXPECT_EQ(cost.sent_bytes_per_rank, flat.sent_bytes_per_rank);
    EXPECT_DOUBLE_EQ(cost.time_us, flat.time_us);
  }
}

TEST(CollectiveCost, OfTwoLevelsSendsAGthAcross) {
  CollectiveCostInputs inputs = ring_inputs(32);
  inputs.algorithm = Algorithm::two_level;
  inputs.group_size = 8;
  inputs.latency_us = 7;
  inputs.reduce_gb_per_sec = 0;
  inputs.inside_latency_us = 2;
  inputs.inside_bandwidth_gb_per_sec = 400;
  const CollectiveCost cost = collective_cost(inputs).value();
  const double n = inputs.message_size_bytes;
  EXPECT_DOUBLE_EQ(cost.latency_time_us, 14 * 2 + 6 * 7);
  EXPECT_DOUBLE_EQ(cost.transfer_time_us, 1.75 * n / 400e3 + 1.5 * n / 8 / 50e3);
}

TEST(CollectiveCost, InTheNetworkComesToOnceTheMessage) {
  CollectiveCostInputs inputs = ring_inputs(8);
  inputs.algorithm = Algorithm::in_network;
  inputs.latency_us = 0;
  inputs.message_size_bytes = 1e9;
  EXPECT_NEAR(collective_cost(inputs).value().time_us, 1e9 / 50e3, 1);
  // As many pieces as ranks: (p+1)/p of the message.
  inputs.pieces = 8;
  EXPECT_DOUBLE_EQ(collective_cost(inputs).value().time_us, 1e9 / 50e3 * 9 / 8);
}

TEST(CollectiveCost, ChoosesTheGroupSizeNearestTheRoot) {
  CollectiveCostInputs inputs = ring_inputs(48);
  inputs.algorithm = Algorithm::torus_2d;
  EXPECT_EQ(collective_cost(inputs).value().group_size, 6);
  inputs.ranks = 47;
  EXPECT_EQ(collective_cost(inputs).value().group_size, 1);
}

TEST(CollectiveCost, ReportsAllProblemsAtOnce) {
  CollectiveCostInputs inputs = ring_inputs(12);
  inputs.collective = Collective::broadcast;
  inputs.algorithm = Algorithm::bruck;
  inputs.group_size = 5;
  inputs.reduce_gb_per_sec = 1e-9;
  const auto cost = collective_cost(inputs);
  ASSERT_FALSE(cost);
  ASSERT_EQ(cost.problems().size(), 3u);
  EXPECT_EQ(cost.problems()[0].message,
            "bruck is not defined for broadcast; broadcast has: binomial_tree, scatter_all_gather, ring, "
            "double_binary_tree, direct, in_network");
  EXPECT_EQ(cost.problems()[1].message, "group_size must be a divisor of ranks (12); got 5; try 4 or 6");
  EXPECT_EQ(cost.problems()[2].message, "reduce_gb_per_sec must be 0 or at least 0.000001; got 1e-9");
}

}  // namespace
}  // namespace commcost
