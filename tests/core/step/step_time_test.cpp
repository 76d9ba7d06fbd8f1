#include "core/step/step_time.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/step/constants.h"
#include "core/step/hiding.h"
#include "core/step/machine.h"
#include "support/settings.h"

namespace commcost {
namespace {

// Round figures: forward 10, backward 20 of which weight gradients 10, us; nothing to launch.
LayerTime round_layer() {
  LayerTime layer;
  layer.forward_us = 10;
  layer.backward_us = 20;
  layer.weight_gradient_us = 10;
  return layer;
}

PipelinePlan plan_of(double stages, double layers, double micro_batches) {
  PipelinePlan plan;
  plan.stages = stages;
  plan.layers = {layers, layers};
  plan.micro_batches = micro_batches;
  plan.data_overlap_share = 0.5;
  return plan;
}

TEST(StepTime, OneStageWorksThroughItsMicroBatches) {
  const StepParts parts = step_parts(round_layer(), {}, {}, plan_of(1, 4, 3));
  EXPECT_DOUBLE_EQ(parts.compute_us, 3 * 4 * 30);
  EXPECT_DOUBLE_EQ(parts.total_us(), parts.compute_us);
}

TEST(StepTime, HeadCountsOnceAMicroBatch) {
  HeadTime head;
  head.compute_us = 7;
  head.tensor_us = 2;
  const StepParts parts = step_parts(round_layer(), head, {}, plan_of(1, 4, 3));
  EXPECT_DOUBLE_EQ(parts.compute_us, 3 * (4 * 30 + 7));
  EXPECT_DOUBLE_EQ(parts.tensor_us, 3 * 2);
}

TEST(StepTime, TheSlowestStageSetsThePace) {
  HeadTime head;
  head.compute_us = 100;
  PipelinePlan plan = plan_of(2, 4, 8);
  EXPECT_DOUBLE_EQ(step_parts(round_layer(), head, {}, plan).compute_us, 8 * (4 * 30 + 100));
  plan.layers = {8, 4};
  EXPECT_DOUBLE_EQ(step_parts(round_layer(), head, {}, plan).compute_us, 8 * 8 * 30);
}

TEST(StepTime, FillsAndDrainsThePipeline) {
  PipelinePlan plan = plan_of(4, 2, 8);
  EXPECT_DOUBLE_EQ(step_parts(round_layer(), {}, {}, plan).bubble_us, 3 * 2 * 30);
  plan.schedule = PipelineSchedule::zero_bubble;
  EXPECT_DOUBLE_EQ(step_parts(round_layer(), {}, {}, plan).bubble_us, 3 * 2 * (30 - 2 * 10));
}

TEST(StepTime, EveryMicroBatchCrossesItsBoundaryBothWays) {
  PipelinePlan plan = plan_of(4, 2, 8);
  plan.transfer_us = 3;
  plan.sync_us = 2;
  const StepParts parts = step_parts(round_layer(), {}, {}, plan);
  EXPECT_DOUBLE_EQ(parts.pipeline_us, 2 * 8 * 5);
  EXPECT_DOUBLE_EQ(parts.bubble_us, 3 * 2 * 30 + 2 * 3 * 5);
  plan.virtual_stages = 3;
  EXPECT_DOUBLE_EQ(step_parts(round_layer(), {}, {}, plan).pipeline_us, 3 * parts.pipeline_us);
  plan.training = false;
  EXPECT_DOUBLE_EQ(step_parts(round_layer(), {}, {}, plan).pipeline_us, 3 * parts.pipeline_us / 2);
}

TEST(StepTime, WaitsForTheHostWhereItIsSlower) {
  LayerTime layer = round_layer();
  layer.launch_us = 300;
  const StepParts parts = step_parts(layer, {}, {}, plan_of(1, 4, 3));
  EXPECT_DOUBLE_EQ(parts.launch_us, 3 * (joint_us(4 * 30, 4 * 300) - 4 * 30));
  EXPECT_GT(parts.total_us(), 3 * 4 * 300);
}

TEST(StepTime, HidesGradientsBesideTheLastBackwardPass) {
  UpdateTime update;
  update.gradients_us = 40;
  PipelinePlan plan = plan_of(1, 4, 3);
  // Half of 40 fits into 80 % of the pass's 80.
  const double slow_down = constants::overlap_slow_down - 1;
  EXPECT_DOUBLE_EQ(step_parts(round_layer(), {}, update, plan).data_us, 20 + slow_down * 20);
  plan.overlap_data = false;
  EXPECT_DOUBLE_EQ(step_parts(round_layer(), {}, update, plan).data_us, 40);
  plan.overlap_data = true;
  update.gradients_us = 400;
  const double window = constants::data_overlap_window * 80;
  EXPECT_DOUBLE_EQ(step_parts(round_layer(), {}, update, plan).data_us, 400 - window + slow_down * window);
}

TEST(StepTime, WeightsAfterTheUpdateAreNeverHidden) {
  UpdateTime update;
  update.weights_us = 40;
  EXPECT_DOUBLE_EQ(step_parts(round_layer(), {}, update, plan_of(1, 4, 3)).data_us, 40);
}

TEST(StepTime, GathersWeightsForEveryMicroBatchBesideCompute) {
  UpdateTime update;
  update.per_micro_batch_us = 10;
  PipelinePlan plan = plan_of(1, 4, 3);
  plan.overlap_data = false;
  EXPECT_DOUBLE_EQ(step_parts(round_layer(), {}, update, plan).data_us, 30);
  plan.overlap_data = true;
  EXPECT_LT(step_parts(round_layer(), {}, update, plan).data_us, 30);
}

TEST(StepTime, ReplicasOnMoreNodesWaitLonger) {
  PipelinePlan plan = plan_of(1, 4, 3);
  plan.straggler_share = 0.01;
  EXPECT_EQ(step_parts(round_layer(), {}, {}, plan).straggler_us, 0);
  plan.replica_nodes = 8;
  EXPECT_NEAR(step_parts(round_layer(), {}, {}, plan).straggler_us, 0.01 * std::sqrt(2 * std::log(8)) * 360,
              1e-9);
}

TEST(StepTime, PartsAddUp) {
  HeadTime head{5, 3, 2};
  UpdateTime update{40, 20, 10, 7};
  PipelinePlan plan = plan_of(4, 2, 8);
  plan.transfer_us = 1;
  plan.replica_nodes = 4;
  plan.straggler_share = 0.02;
  const StepParts p = step_parts(round_layer(), head, update, plan);
  EXPECT_DOUBLE_EQ(p.total_us(), p.compute_us + p.recompute_us + p.tensor_us + p.context_us + p.expert_us +
                                     p.pipeline_us + p.data_us + p.bubble_us + p.optimizer_us + p.launch_us +
                                     p.straggler_us);
}

class Hop : public testing::Test {
 protected:
  const Machine machine = {static_cast<int>(find_accelerator("a100-sxm-80gb") - all_accelerators().data()), 8,
                           25};
  static Setting staged(std::int64_t stages, std::int64_t tensor) {
    return test::changed(test::plain_setting(test::classic_shape(16, 4096, 32, 51200), 2048),
                         [=](Setting& s) {
                           s.layout.pipeline_parallel = stages;
                           s.layout.tensor_parallel = tensor;
                         });
  }
};

TEST_F(Hop, OfOneStageIsNothing) {
  EXPECT_EQ(hop_us(staged(1, 1), machine, Pricing(machine, {})), 0);
}

TEST_F(Hop, StaysInsideANodeThatHoldsTheWholePipeline) {
  const Pricing pricing(machine, {});
  EXPECT_LT(hop_us(staged(8, 1), machine, pricing), hop_us(staged(2, 8), machine, pricing));
}

TEST_F(Hop, SharesOfTensorRanksAreSmaller) {
  const Pricing pricing(machine, {});
  const Setting scattered = test::changed(staged(2, 8), [](Setting& s) { s.layout.scatter_gather = true; });
  EXPECT_LT(hop_us(scattered, machine, pricing), hop_us(staged(2, 8), machine, pricing));
}

TEST_F(Hop, CountsTheNodesOfReplicas) {
  Layout layout;
  layout.data_parallel = 32;
  EXPECT_EQ(replica_nodes(layout, machine), 4);
  layout.tensor_parallel = 8;
  EXPECT_EQ(replica_nodes(layout, machine), 32);
  layout.data_parallel = 1;
  EXPECT_EQ(replica_nodes(layout, machine), 1);
}

}  // namespace
}  // namespace commcost
