#include "core/step/pipeline_timeline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/parallel/layout_problems.h"
#include "core/parallel/recipes.h"
#include "core/step/training_step.h"
#include "support/random_settings.h"

namespace commcost {
namespace {

// What a step pays for passes, boundaries and bubble: what its timeline is made of.
double priced_us(const StepTimes& times, std::size_t deciding) {
  const PipelineTime pipeline = pipeline_times(times.passes, times.boundary, times.plan)[deciding];
  const StageTime& stage = times.passes.of[deciding];
  return times.plan.micro_batches * (stage.joint_us + pipeline.crossing_us) + stage.unpaired_us +
         pipeline.bubble_us;
}

struct Drawn {
  Setting setting;
  StepTimes times;
  std::size_t deciding;
};

std::vector<Drawn> drawn(std::size_t count) {
  std::vector<Drawn> all;
  test::Random random(7);
  const Machine machine = completed(Machine{});
  while (all.size() < count) {
    const Setting setting = completed(test::random_training(random));
    if (setting.layout.pipeline_parallel == 1) continue;
    const StepTimes times = step_times(setting, StepModel(machine, setting));
    if (pipeline_bars(times.plan) > 20000) continue;
    all.push_back({setting, times, step_result(times).stage});
  }
  return all;
}

TEST(PipelineTimeline, IsAsLongAsTheStepPays) {
  std::map<PipelineSchedule, int> seen;
  for (const Drawn& one : drawn(400)) {
    const PipelineSchedule schedule = one.times.plan.schedule;
    if (schedule == PipelineSchedule::zero_bubble || schedule == PipelineSchedule::zero_bubble_2p) continue;
    // A stage that decides by its exchange with replicas alone is not the slowest of the pipeline.
    const PipelineTimes pipeline = pipeline_times(one.times.passes, one.times.boundary, one.times.plan);
    const std::size_t typical = one.times.passes.typical_at();
    if (one.times.passes.of[one.deciding].joint_us + pipeline[one.deciding].crossing_us <
        one.times.passes.of[typical].joint_us + pipeline[typical].crossing_us)
      continue;
    ++seen[schedule];
    const double length_us = pipeline_timeline(one.times, one.deciding).length_us;
    const double paid_us = priced_us(one.times, one.deciding);
    EXPECT_NEAR(length_us, paid_us, 1e-9 * paid_us)
        << pipeline_schedule_names[static_cast<std::size_t>(schedule)] << " stages " << one.times.plan.stages
        << " chunks " << one.times.plan.virtual_stages << " micro-batches " << one.times.plan.micro_batches;
  }
  ASSERT_EQ(seen.size(), 3u);
  for (const auto& [schedule, count] : seen) EXPECT_GT(count, 20);
}

// Equal stages without boundaries.
StepTimes equal_stages(PipelineSchedule schedule, double stages, double micro_batches, double forward,
                       double backward, double weight_gradient) {
  StageTime stage;
  stage.forward_us = forward;
  stage.joint_us = forward + backward;
  stage.device_us = stage.joint_us;
  stage.filler_us = weight_gradient;
  StepTimes times;
  times.plan.schedule = schedule;
  times.plan.stages = stages;
  times.plan.micro_batches = micro_batches;
  times.passes.stages.add({1, 0, true, false});
  times.passes.stages.add({1, 0, false, true});
  times.passes.of.fill(stage);
  return times;
}

// DeepSeek DualPipe's table prices ZB1P by (p-1)(F+B-2W): what its order takes where weight gradients are
// no longer than either other pass and micro-batches are enough; elsewhere it is near.
TEST(PipelineTimeline, OfZeroBubbleIsWhatItsOrderTakes) {
  for (const double stages : {2.0, 3.0, 5.0, 8.0}) {
    for (const double weight_gradient : {0.0, 50.0, 100.0, 130.0}) {
      const StepTimes times =
          equal_stages(PipelineSchedule::zero_bubble, stages, 3 * stages, 100, 260, weight_gradient);
      const double paid_us = priced_us(times, 0);
      const double length_us = pipeline_timeline(times, 0).length_us;
      if (weight_gradient <= 100) {
        EXPECT_NEAR(length_us, paid_us, 1e-6) << stages << " " << weight_gradient;
      } else {
        EXPECT_NEAR(length_us, paid_us, 0.1 * paid_us) << stages;
      }
    }
  }
}

TEST(PipelineTimeline, EveryPassOnceAndInOrderOfWhatItNeeds) {
  for (const Drawn& one : drawn(200)) {
    const PipelinePlan& plan = one.times.plan;
    const PipelineTimeline timeline = pipeline_timeline(one.times, one.deciding);
    ASSERT_EQ(static_cast<double>(timeline.bars.size()), pipeline_bars(plan));
    std::map<std::tuple<StageWork, double, double, double>, const PipelineBar*> bars;
    const PipelineBar* before = nullptr;
    for (const PipelineBar& bar : timeline.bars) {
      EXPECT_TRUE(bars.emplace(std::tuple(bar.work, bar.stage, bar.chunk, bar.micro_batch), &bar).second);
      const double eps = 1e-9 * timeline.length_us;
      if (before != nullptr && before->stage == bar.stage) {
        EXPECT_GE(bar.start_us, before->start_us + before->duration_us - eps);
      }
      EXPECT_LE(bar.start_us + bar.duration_us, timeline.length_us + eps);
      before = &bar;
    }
    for (const auto& [key, bar] : bars) {
      const auto [work, stage, chunk, micro_batch] = key;
      if (work != StageWork::forward || stage == 0) continue;
      const PipelineBar& needed = *bars.at(std::tuple(StageWork::forward, stage - 1, chunk, micro_batch));
      EXPECT_GE(bar->start_us, needed.start_us + needed.duration_us - 1e-9 * timeline.length_us);
      const PipelineBar& back = *bars.at(std::tuple(StageWork::backward, stage, chunk, micro_batch));
      const PipelineBar& next = *bars.at(std::tuple(StageWork::backward, stage - 1, chunk, micro_batch));
      EXPECT_GE(next.start_us, back.start_us + back.duration_us - 1e-9 * timeline.length_us);
    }
  }
}

}  // namespace
}  // namespace commcost
