#include "core/textbook/scaling_projection.h"

#include <gtest/gtest.h>

namespace commcost {
namespace {

// ExaComm'24 panel: communication 7.35 times as long, 59.25 % less throughput.
TEST(ScalingProjection, ReproducesThePanelsTwoNumbersTogether) {
  const double share = (1 / (1 - 0.5925) - 1) / (7.35 - 1);
  EXPECT_NEAR(share, 0.229, 0.0005);
  const Outcome<ScalingProjection> slower = project_scaling({1 - share, share, 1 / 7.35});
  ASSERT_TRUE(slower);
  EXPECT_NEAR(slower->throughput_loss_percent, 59.25, 1e-9);
  EXPECT_NEAR(slower->communication_time_ratio, 7.35, 1e-12);
}

TEST(ScalingProjection, DerivesTheEfficiencyFromTwoBusBandwidths) {
  ScalingInputs inputs{0.6, 0.4};
  inputs.from_gpus = 8;
  inputs.to_gpus = 512;
  inputs.from_bus_bandwidth_gb_per_sec = 436;
  inputs.to_bus_bandwidth_gb_per_sec = 32.9;
  const Outcome<ScalingProjection> projected = project_scaling(inputs);
  ASSERT_TRUE(projected);
  EXPECT_NEAR(projected->efficiency, 32.9 / 436 * (7.0 / 8) / (511.0 / 512), 1e-12);
  EXPECT_NEAR(projected->throughput_ratio, projected->speedup * 64, 1e-9);
}

TEST(ScalingProjection, ChangesNothingAtFullEfficiencyOrWithoutCommunication) {
  EXPECT_DOUBLE_EQ(project_scaling({0.5, 0.5, 1}).value().speedup, 1);
  EXPECT_DOUBLE_EQ(project_scaling({0.7, 0, 0.01}).value().speedup, 1);
}

TEST(ScalingProjection, NamesEverythingThatIsMissing) {
  const Outcome<ScalingProjection> nothing = project_scaling({});
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.problems().size(), 3u);
}

}  // namespace
}  // namespace commcost
