#include "core/plan/scaling.h"

#include <gtest/gtest.h>

#include <vector>

namespace commcost {
namespace {

TEST(Scaling, TheFirstNumberThatFitsIsTheMeasure) {
  const std::vector<CountedStep> before = {{1, 0}, {2, 0}};
  const ScalingGain gain = scaling_gain(before, {4, 100});
  EXPECT_EQ(gain.speedup, 1);
  EXPECT_EQ(gain.efficiency, 1);
  EXPECT_EQ(gain.marginal_efficiency, 1);
  EXPECT_TRUE(gain.pays);
  EXPECT_TRUE(gain.on_pareto_front);
}

TEST(Scaling, HalfTheTimeOnTwiceTheGpusKeepsEfficiency) {
  const std::vector<CountedStep> before = {{4, 100}, {8, 50}};
  const ScalingGain gain = scaling_gain(before, {16, 25});
  EXPECT_EQ(gain.speedup, 4);
  EXPECT_EQ(gain.efficiency, 1);
  EXPECT_EQ(gain.marginal_efficiency, 1);
}

TEST(Scaling, GpusThatBringLittleDoNotPay) {
  const std::vector<CountedStep> before = {{4, 100}, {8, 50}, {12, 0}};
  // Twice as many as the last that fit: a quarter of what they could bring.
  const ScalingGain gain = scaling_gain(before, {16, 40});
  EXPECT_EQ(gain.speedup, 2.5);
  EXPECT_EQ(gain.efficiency, 0.625);
  EXPECT_EQ(gain.linear_step_time_ms, 25);
  EXPECT_EQ(gain.marginal_efficiency, 0.25);
  EXPECT_FALSE(gain.pays);
  EXPECT_TRUE(gain.on_pareto_front);
}

// 1.5 times as quick is half of what twice as many could bring.
TEST(Scaling, HalfOfWhatGpusCouldBringPays) {
  const std::vector<CountedStep> before = {{4, 96}};
  EXPECT_EQ(scaling_gain(before, {8, 64}).marginal_efficiency, 0.5);
  EXPECT_TRUE(scaling_gain(before, {8, 64}).pays);
  EXPECT_FALSE(scaling_gain(before, {8, 64.1}).pays);
}

TEST(Scaling, WhoIsNoQuickerIsNotOnTheFront) {
  const std::vector<CountedStep> before = {{4, 100}, {8, 50}};
  const ScalingGain gain = scaling_gain(before, {16, 50});
  EXPECT_FALSE(gain.on_pareto_front);
  EXPECT_EQ(gain.marginal_efficiency, 0);
}

TEST(Scaling, WhatDoesNotFitBringsNothing) {
  const std::vector<CountedStep> before = {{4, 100}};
  EXPECT_EQ(scaling_gain(before, {8, 0}).speedup, 0);
  EXPECT_FALSE(scaling_gain(before, {8, 0}).pays);
}

}  // namespace
}  // namespace commcost
