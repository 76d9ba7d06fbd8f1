#include "core/training/step_time.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/training/constants.h"
#include "core/training/overlap_rule.h"
#include "support/jobs.h"

namespace commcost {
namespace {

constexpr double slow_down = constants::overlap_slow_down - 1;

const Machine a100 = {place_of_accelerator("a100-sxm-80gb"), 8, 25};

// Round figures: forward 10, backward 20 of which weight gradients 10, us; nothing to launch.
LayerTimes round_layers() {
  LayerTimes layers;
  layers.dense.forward_us = 10;
  layers.dense.backward_us = 20;
  layers.dense.weight_gradient_us = 10;
  return layers;
}

PipelinePlan plan_of(double stages, double micro_batches) {
  PipelinePlan plan;
  plan.stages = stages;
  plan.micro_batches = micro_batches;
  plan.waiting.data_overlap_share = 0.5;
  return plan;
}

StageTime four_layers(const LayerTimes& layers = round_layers(), const EndTimes& ends = {}) {
  return stage_time(layers, ends, {4, 0, true, true});
}

StepParts parts_of(const StageTime& stage, const PipelinePlan& plan, const UpdateTime& update = {},
                   const BoundaryTime& boundary = {}) {
  PassTimes passes;
  passes.stages.add({});
  passes.by_stage[0] = stage;
  return step_parts(stage, update, pipeline_times(passes, boundary, plan)[0], plan);
}

TEST(StepTime, OneStageWorksThroughItsMicroBatches) {
  const StepParts parts = parts_of(four_layers(), plan_of(1, 3));
  EXPECT_DOUBLE_EQ(parts.compute_us, 3 * 4 * 30);
  EXPECT_DOUBLE_EQ(parts.total_us(), parts.compute_us);
}

TEST(StepTime, EndsCountOnceAMicroBatchOnTheirStage) {
  EndTimes ends;
  ends.first.tensor.forward_us = 3;
  ends.last.compute_us = 7;
  ends.last.tensor.backward_us = 2;
  const StepParts both = parts_of(four_layers(round_layers(), ends), plan_of(1, 3));
  EXPECT_DOUBLE_EQ(both.compute_us, 3 * (4 * 30 + 7));
  EXPECT_DOUBLE_EQ(both.tensor_us, 3 * 5);
  const StageTime first = stage_time(round_layers(), ends, {4, 0, true, false});
  EXPECT_DOUBLE_EQ(first.tensor_us, 3);
  EXPECT_DOUBLE_EQ(first.compute_us, 4 * 30);
  const StageTime inner = stage_time(round_layers(), ends, {4, 0, false, false});
  EXPECT_DOUBLE_EQ(inner.device_us, 4 * 30);
}

TEST(StepTime, LayersOfBothKindsAddUp) {
  LayerTimes layers = round_layers();
  layers.moe.forward_us = 100;
  layers.moe.expert.forward_us = 5;
  const StageTime stage = stage_time(layers, {}, {3, 2, false, false});
  EXPECT_DOUBLE_EQ(stage.compute_us, 3 * 30 + 2 * 100);
  EXPECT_DOUBLE_EQ(stage.expert_us, 2 * 5);
}

TEST(StepTime, TheSlowestStageSetsThePace) {
  PassTimes passes;
  passes.stages.add({8, 0, true, false});
  passes.stages.add({4, 0, false, true});
  EndTimes ends;
  ends.last.compute_us = 200;
  passes = pass_times(round_layers(), ends, passes.stages);
  const PipelinePlan plan = plan_of(2, 8);
  EXPECT_EQ(step_result({passes, {}, {}, plan}).stage, 1u);
  EXPECT_DOUBLE_EQ(step_result({passes, {}, {}, plan}).parts.compute_us, 8 * (4 * 30 + 200));
  // What the update of the other takes counts too.
  UpdateTimes updates;
  updates[0].optimizer_us = 8 * 100;
  EXPECT_EQ(step_result({passes, updates, {}, plan}).stage, 0u);
}

TEST(StepTime, FillsAndDrainsThePipeline) {
  PipelinePlan plan = plan_of(4, 8);
  EXPECT_DOUBLE_EQ(parts_of(four_layers(), plan).bubble_us, 3 * 4 * 30);
  plan.schedule = PipelineSchedule::zero_bubble;
  EXPECT_DOUBLE_EQ(parts_of(four_layers(), plan).bubble_us, 3 * 4 * (30 - 2 * 10));
}

TEST(StepTime, EveryMicroBatchCrossesItsBoundaries) {
  const BoundaryTime boundary{0, 0, 6, 4};
  PipelinePlan plan = plan_of(4, 8);
  const StepParts parts = parts_of(four_layers(), plan, {}, boundary);
  EXPECT_DOUBLE_EQ(parts.pipeline_us, 8 * 10);
  EXPECT_DOUBLE_EQ(parts.bubble_us, 3 * 4 * 30 + 3 * 10);
  plan.virtual_stages = 3;
  EXPECT_DOUBLE_EQ(parts_of(four_layers(), plan, {}, boundary).pipeline_us, 3 * parts.pipeline_us);
}

// While one chunk is sent another is computed; the first to fill the pipeline has no other.
TEST(StepTime, ChunksHideTheirBoundaries) {
  const BoundaryTime boundary{6, 4, 0, 2};
  PipelinePlan plan = plan_of(4, 8);
  plan.virtual_stages = 2;
  plan.schedule = PipelineSchedule::interleaved;
  const StepParts parts = parts_of(four_layers(), plan, {}, boundary);
  EXPECT_DOUBLE_EQ(parts.pipeline_us, 8 * 2 * (2 + slow_down * 10));
  EXPECT_DOUBLE_EQ(parts.bubble_us, 3 * 4 * 30 / 2 + 3 * 12);
  const BoundaryTime slow{60, 0, 0, 0};
  EXPECT_DOUBLE_EQ(parts_of(four_layers(), plan, {}, slow).pipeline_us, 8 * (2 * 60 - 40 + slow_down * 40));
}

TEST(StepTime, WaitsForTheHostWhereItIsSlower) {
  LayerTimes layers = round_layers();
  layers.dense.launch_us = 300;
  const StepParts parts = parts_of(four_layers(layers), plan_of(1, 3));
  EXPECT_DOUBLE_EQ(parts.launch_us, 3 * (joint_us(4 * 30, 4 * 300) - 4 * 30));
  EXPECT_GT(parts.total_us(), 3 * 4 * 300);
}

TEST(StepTime, HidesGradientsBesideTheLastBackwardPass) {
  UpdateTime update;
  update.iteration.beside_backward_us = 40;
  // Half of 40 fits into 80 % of the pass's 80.
  EXPECT_DOUBLE_EQ(parts_of(four_layers(), plan_of(1, 3), update).data_us, 20 + slow_down * 20);
  update.iteration.beside_backward_us = 400;
  const double window = constants::data_overlap_window * 80;
  EXPECT_DOUBLE_EQ(parts_of(four_layers(), plan_of(1, 3), update).data_us, 400 - window + slow_down * window);
  update.iteration = {40, 0, 0};
  EXPECT_DOUBLE_EQ(parts_of(four_layers(), plan_of(1, 3), update).data_us, 40);
}

TEST(StepTime, HidesWeightsBesideTheNextForwardPass) {
  UpdateTime update;
  update.iteration.beside_forward_us = 30;
  const double hidden = constants::gather_overlap_share * 30;
  EXPECT_DOUBLE_EQ(parts_of(four_layers(), plan_of(1, 3), update).data_us, 30 - hidden + slow_down * hidden);
}

TEST(StepTime, GathersWeightsForEveryMicroBatchBesideCompute) {
  UpdateTime update;
  update.prefetches = true;
  update.micro_batch = {0, 10, 20};
  const double hidden = constants::gather_overlap_share * 30;
  EXPECT_DOUBLE_EQ(parts_of(four_layers(), plan_of(1, 3), update).data_us,
                   3 * (30 - hidden + slow_down * hidden));
}

// What hides one message is not free for another: 40 of forward pass beside 30 between stages and 100 of
// weights.
TEST(StepTime, ComputeHidesNoMoreThanItself) {
  UpdateTime update;
  update.micro_batch.beside_forward_us = 100;
  const BoundaryTime boundary{30, 0, 0, 0};
  const StepParts parts = parts_of(four_layers(), plan_of(4, 8), update, boundary);
  EXPECT_DOUBLE_EQ(parts.pipeline_us, 8 * slow_down * 30);
  const double left = constants::gather_overlap_share * (40 - 30);
  EXPECT_DOUBLE_EQ(parts.data_us, 8 * (100 - left + slow_down * left));
}

// The links work on while the accelerator waits for the host.
TEST(StepTime, MessagesAreSentBesideIdleTimeToo) {
  LayerTimes layers = round_layers();
  layers.dense.launch_us = 300;
  UpdateTime update;
  update.prefetches = true;
  update.micro_batch.beside_forward_us = 100;
  const double hidden = constants::gather_overlap_share * 100;
  EXPECT_DOUBLE_EQ(parts_of(four_layers(layers), plan_of(1, 3), update).data_us,
                   3 * (100 - hidden + slow_down * hidden));
}

// Two micro-batches, each with one pass alone; what both hide alongside each other costs nothing.
TEST(StepTime, TheFirstAndTheLastPassHideNoTokens) {
  StageTime stage;
  stage.expert_us = 10;
  stage.unpaired_us = 90;
  PipelinePlan plan;
  plan.micro_batches = 2;
  EXPECT_DOUBLE_EQ(step_parts(stage, {}, {}, plan).expert_us, 2 * 10 + 90);
}

TEST(StepTime, WaitsForTheSlowestReplica) {
  PipelinePlan plan = plan_of(1, 3);
  plan.waiting.straggler_share = 0.01;
  EXPECT_NEAR(parts_of(four_layers(), plan).straggler_us, 0.01 * 360, 1e-9);
}

// The greatest of n normal deviates lies about sqrt(2 ln n) standard deviations above the mean.
TEST(StepTime, ReplicasOnMoreNodesWaitLonger) {
  const auto share = [&](std::int64_t replicas) {
    const Job job = test::changed(test::plain_job(test::classic_shape(16, 4096, 32), 2048), [=](Job& s) {
      s.machine = a100;
      s.layout.data_parallel = replicas;
    });
    return waiting_rules(StepModel(job)).straggler_share;
  };
  EXPECT_EQ(share(8), 0);
  EXPECT_NEAR(share(64), Stack{}.straggler_percent * 0.01 * std::sqrt(2 * std::log(8)), 1e-12);
}

TEST(StepTime, WhatIsSummedOnceStandsUnderItsDimension) {
  UpdateTime update;
  update.replicated_us = 3;
  update.tied_us = 5;
  update.optimizer_us = 7;
  const StepParts parts = parts_of(four_layers(), plan_of(1, 3), update);
  EXPECT_DOUBLE_EQ(parts.tensor_us, 3);
  EXPECT_DOUBLE_EQ(parts.pipeline_us, 5);
  EXPECT_DOUBLE_EQ(parts.optimizer_us, 7);
  EXPECT_DOUBLE_EQ(parts.total_us(), 360 + 15);
  EXPECT_DOUBLE_EQ(parts.communication_us(), 8);
}

class Boundary : public testing::Test {
 protected:
  static Job staged(std::int64_t stages, std::int64_t tensor) {
    return test::changed(test::plain_job(test::classic_shape(16, 4096, 32, 51200), 2048), [=](Job& s) {
      s.machine = a100;
      s.layout.pipeline_parallel = stages;
      s.layout.tensor_parallel = tensor;
    });
  }
  static BoundaryTime time_of(const Job& job) { return boundary_time(StepModel(job)); }
  static double us(const Job& job) { return time_of(job).exposed_us; }
};

TEST_F(Boundary, OfOneStageIsNothing) {
  EXPECT_EQ(time_of(staged(1, 1)).total_us(), 0);
}

// arXiv:2104.04473, section 4.1: b s h elements each way; a share of them from each tensor rank, gathered on
// arrival.
TEST_F(Boundary, SendsActivationsAndTheirGradients) {
  const double bytes = 2048.0 * 4096 * 2;
  const CollectiveTimer timer(a100);
  EXPECT_DOUBLE_EQ(us(staged(2, 8)), 2 * timer.time_us(Collective::send_receive, {2, 8}, bytes));
  EXPECT_DOUBLE_EQ(time_of(staged(2, 8)).sync_us, 2 * Stack{}.pipeline_sync_us);
  const Job scattered = test::changed(staged(2, 8), [](Job& s) { s.layout.scatter_gather = true; });
  EXPECT_DOUBLE_EQ(us(scattered),
                   2 * (timer.time_us(Collective::send_receive, {2, 8}, bytes / 8) +
                        timer.time_us(Collective::all_gather, {8, 1}, bytes) + Stack{}.collective_start_us));
}

TEST_F(Boundary, StaysInsideANodeThatHoldsTheWholePipeline) {
  EXPECT_LT(us(staged(8, 1)), us(staged(2, 8)));
}

TEST_F(Boundary, OfSeveralChunksIsBesideThem) {
  const Job chunks = test::changed(staged(4, 1), [](Job& s) {
    s.layout.virtual_stages = 2;
    s.layout.pipeline_schedule = PipelineSchedule::interleaved;
  });
  const BoundaryTime beside = time_of(chunks);
  EXPECT_EQ(beside.exposed_us, 0);
  EXPECT_EQ(beside.beside_forward_us, beside.beside_backward_us);
  EXPECT_DOUBLE_EQ(beside.total_us(), time_of(staged(4, 1)).total_us());
}

TEST_F(Boundary, ReplicasCountTheirNodes) {
  Layout layout;
  layout.data_parallel = 32;
  EXPECT_EQ(replica_nodes(layout, a100), 4);
  layout.tensor_parallel = 8;
  EXPECT_EQ(replica_nodes(layout, a100), 32);
  layout.data_parallel = 1;
  EXPECT_EQ(replica_nodes(layout, a100), 1);
}

}  // namespace
}  // namespace commcost
