#include "core/step/pipeline_timeline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

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
    if (schedule != PipelineSchedule::one_f_one_b && schedule != PipelineSchedule::interleaved &&
        schedule != PipelineSchedule::gpipe)
      continue;
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
  stage.forward_pass_us = forward;
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

StepTimes equal_stages_of(PipelineSchedule schedule, double stages, double micro_batches, double forward,
                          double backward, double weight_gradient) {
  StepTimes times = equal_stages(schedule, stages, micro_batches, forward, backward, weight_gradient);
  if (schedule == PipelineSchedule::dualpipe_v) times.plan.virtual_stages = 2;
  return times;
}

// DeepSeek's (PP/2 - 1)(F&B + B - 3W) is what the order takes where forward pass and input gradient take
// equal time and weight gradients no longer; of the V with chunks of half of it, for twice its stages.
TEST(PipelineTimeline, OfDualPipeIsAsLongAsItsFormula) {
  for (const PipelineSchedule schedule : {PipelineSchedule::dualpipe, PipelineSchedule::dualpipe_v}) {
    for (const double stages : {2.0, 3.0, 4.0, 5.0, 8.0, 16.0}) {
      if (schedule == PipelineSchedule::dualpipe && stages != 2 * std::floor(stages / 2)) continue;
      for (const double micro_batches : {2 * stages, 2 * stages + 2, 5 * stages + 4}) {
        const double even = 2 * std::floor(micro_batches / 2);
        for (const double weight_gradient : {40.0, 100.0}) {
          const StepTimes times =
              equal_stages_of(schedule, stages, even, 100, 100 + weight_gradient, weight_gradient);
          EXPECT_NEAR(pipeline_timeline(times, 0).length_us, priced_us(times, 0), 1e-6)
              << stages << " " << even << " " << weight_gradient;
        }
      }
    }
  }
}

// Elsewhere it is near: within 4 % of a step with as few micro-batches as there can be.
TEST(PipelineTimeline, OfDualPipeIsNearItsFormulaElsewhere) {
  for (const PipelineSchedule schedule : {PipelineSchedule::dualpipe, PipelineSchedule::dualpipe_v}) {
    for (const auto& [forward, backward, weight_gradient] :
         {std::tuple(100.0, 200.0, 0.0), std::tuple(100.0, 250.0, 100.0), std::tuple(130.0, 200.0, 90.0),
          std::tuple(100.0, 200.0, 120.0)}) {
      const StepTimes times = equal_stages_of(schedule, 8, 16, forward, backward, weight_gradient);
      const double paid_us = priced_us(times, 0);
      EXPECT_NEAR(pipeline_timeline(times, 0).length_us, paid_us, 0.04 * paid_us);
    }
  }
}

// arXiv:2412.19437, table 2: the order holds PP + 1 activations at once, on every stage.
TEST(PipelineTimeline, OfDualPipeHoldsOneMoreThanStages) {
  for (const PipelineSchedule schedule : {PipelineSchedule::dualpipe, PipelineSchedule::dualpipe_v}) {
    for (const std::int64_t stages : {2, 4, 8}) {
      Layout layout;
      layout.pipeline_parallel = stages;
      layout.pipeline_schedule = schedule;
      const std::int64_t chunks = chunks_of_a_stage(layout);
      const PipelineShape shape{schedule, stages, chunks, 4 * stages};
      for (std::int64_t stage = 0; stage < stages; ++stage) {
        std::int64_t held = 0;
        std::int64_t most = 0;
        for (const StagePassOrder& pass : passes_in_order(shape, stage)) {
          held += pass.work == StageWork::forward ? 1 : pass.work == StageWork::backward ? -1 : 0;
          most = std::max(most, held);
        }
        EXPECT_EQ(static_cast<double>(most) / static_cast<double>(chunks),
                  micro_batches_in_flight(layout, static_cast<double>(shape.micro_batches)).first);
      }
    }
  }
}

PipelineShape shape_of(const PipelinePlan& plan) {
  const auto whole = [](double value) { return static_cast<std::int64_t>(value); };
  return {plan.schedule, whole(plan.stages), whole(plan.virtual_stages), whole(plan.micro_batches)};
}

using BarKey = std::tuple<StageWork, double, double, double>;
using Bars = std::map<BarKey, const PipelineBar*>;

// Whether `later` begins when the pass of that work at `place` has ended.
void expect_after(const Bars& bars, const PipelineBar& later, StageWork work, const PipelinePlace& place,
                  double eps) {
  const auto needed = bars.find(
      {work, static_cast<double>(place.stage), static_cast<double>(place.chunk), later.micro_batch});
  ASSERT_NE(needed, bars.end());
  EXPECT_GE(later.start_us, needed->second->start_us + needed->second->duration_us - eps);
}

TEST(PipelineTimeline, EveryPassOnceAndInOrderOfWhatItNeeds) {
  std::map<PipelineSchedule, int> seen;
  for (const Drawn& one : drawn(400)) {
    const PipelinePlan& plan = one.times.plan;
    const PipelineShape shape = shape_of(plan);
    const PipelineTimeline timeline = pipeline_timeline(one.times, one.deciding);
    ++seen[plan.schedule];
    ASSERT_EQ(static_cast<double>(timeline.bars.size()), pipeline_bars(plan));
    Bars bars;
    const PipelineBar* before = nullptr;
    const double eps = 1e-9 * timeline.length_us;
    for (const PipelineBar& bar : timeline.bars) {
      EXPECT_TRUE(bars.emplace(BarKey(bar.work, bar.stage, bar.chunk, bar.micro_batch), &bar).second);
      if (before != nullptr && before->stage == bar.stage) {
        EXPECT_GE(bar.start_us, before->start_us + before->duration_us - eps);
      }
      EXPECT_LE(bar.start_us + bar.duration_us, timeline.length_us + eps);
      before = &bar;
    }
    for (const PipelineBar& bar : timeline.bars) {
      const PipelinePlace here{static_cast<std::int64_t>(bar.stage), static_cast<std::int64_t>(bar.chunk)};
      if (bar.work == StageWork::weight_gradient) {
        expect_after(bars, bar, StageWork::backward, here, eps);
      } else if (bar.work == StageWork::forward) {
        if (const auto from = place_before(shape, here))
          expect_after(bars, bar, StageWork::forward, *from, eps);
      } else {
        const auto from = place_after(shape, here);
        expect_after(bars, bar, from ? StageWork::backward : StageWork::forward, from ? *from : here, eps);
      }
    }
  }
  EXPECT_EQ(seen.size(), std::size(pipeline_schedule_names));
}

// A micro-batch's way visits all layers: every stage once a chunk, in the V down and up, in DualPipe from
// either end.
TEST(PipelineOrder, TheWayVisitsEveryStage) {
  const auto way = [](const PipelineShape& shape, PipelinePlace place) {
    std::vector<std::int64_t> stages;
    for (std::optional<PipelinePlace> at = place; at; at = place_after(shape, *at))
      stages.push_back(at->stage);
    return stages;
  };
  using Way = std::vector<std::int64_t>;
  EXPECT_EQ(way({PipelineSchedule::one_f_one_b, 3, 1, 6}, {0, 0}), (Way{0, 1, 2}));
  EXPECT_EQ(way({PipelineSchedule::interleaved, 3, 2, 6}, {0, 0}), (Way{0, 1, 2, 0, 1, 2}));
  EXPECT_EQ(way({PipelineSchedule::dualpipe_v, 3, 2, 6}, {0, 0}), (Way{0, 1, 2, 2, 1, 0}));
  EXPECT_EQ(way({PipelineSchedule::dualpipe, 4, 1, 8}, {0, 0}), (Way{0, 1, 2, 3}));
  EXPECT_EQ(way({PipelineSchedule::dualpipe, 4, 1, 8}, {3, 1}), (Way{3, 2, 1, 0}));
}

}  // namespace
}  // namespace commcost
