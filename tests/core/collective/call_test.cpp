#include "core/collective/call.h"

#include <gtest/gtest.h>

namespace commcost {
namespace {

TEST(GroupFor, ChoosesTheDivisorNearestTheRoot) {
  struct Row {
    int ranks, group_size;
  };
  for (const Row& row :
       {Row{1, 1}, Row{2, 1}, Row{4, 2}, Row{12, 3}, Row{16, 4}, Row{17, 1}, Row{1048576, 1024}}) {
    CollectiveInputs inputs;
    inputs.ranks = row.ranks;
    EXPECT_EQ(group_for(inputs).value().group_size, row.group_size) << row.ranks;
  }
}

TEST(GroupFor, RefusesWhatDoesNotDivide) {
  CollectiveInputs inputs;
  inputs.ranks = 12;
  for (inputs.group_size = 1; inputs.group_size <= 13; ++inputs.group_size) {
    EXPECT_EQ(static_cast<bool>(group_for(inputs)), 12 % inputs.group_size == 0) << inputs.group_size;
  }
}

TEST(PlacedMethodFor, IgnoresAGroupSizeThatTheMethodDoes) {
  MethodInputs inputs;
  inputs.ranks = 12;
  inputs.group_size = 5;
  EXPECT_TRUE(placed_method_for(inputs));
  inputs.algorithm = Algorithm::two_level;
  EXPECT_FALSE(placed_method_for(inputs));
}

TEST(MachineFor, HasOneLinkUnlessGroupsHaveTheirOwn) {
  HockneyInputs inputs;
  inputs.latency_us = 5;
  inputs.bandwidth_gb_per_sec = 50;
  inputs.inside_latency_us = 2;
  EXPECT_EQ(machine_for(inputs).value().inside.latency_us, 5);
  EXPECT_EQ(machine_for(inputs).value().inside.bandwidth_gb_per_sec, 50);
  inputs.inside_bandwidth_gb_per_sec = 400;
  EXPECT_EQ(machine_for(inputs).value().inside.latency_us, 2);
  EXPECT_EQ(machine_for(inputs).value().inside.bandwidth_gb_per_sec, 400);
}

TEST(MachineFor, RefusesABandwidthTooSmallToDivideBy) {
  HockneyInputs inputs;
  inputs.reduce_gb_per_sec = inputs.inside_bandwidth_gb_per_sec = 1e-9;
  const auto machine = machine_for(inputs);
  ASSERT_FALSE(machine);
  ASSERT_EQ(machine.problems().size(), 2u);
  EXPECT_EQ(machine.problems()[0].field, "reduce_gb_per_sec");
  EXPECT_EQ(machine.problems()[1].field, "inside_bandwidth_gb_per_sec");
}

}  // namespace
}  // namespace commcost
