#include "core/training/pipeline_timeline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "core/parallel/layout_problems.h"
#include "core/parallel/recipes.h"
#include "core/training/training_step.h"
#include "support/random_jobs.h"

namespace commcost {
namespace {

// The longest that a stage takes from its first pass to its last. Under ZB2P stages begin the next step one
// after the other, so that this is what a step takes.
double span_us(const PipelineTimeline& timeline) {
  std::map<double, std::pair<double, double>> stages;
  for (const PipelineBar& bar : timeline.bars) {
    auto& [begin, end] = stages.try_emplace(bar.stage, bar.start_us, 0).first->second;
    begin = std::min(begin, bar.start_us);
    end = std::max(end, bar.start_us + bar.duration_us);
  }
  double span = 0;
  for (const auto& [stage, times] : stages) span = std::max(span, times.second - times.first);
  return span;
}

bool is_dual(const StepTimes& times) {
  return times.plan.schedule == PipelineSchedule::dualpipe ||
         times.plan.schedule == PipelineSchedule::dualpipe_v;
}

struct Drawn {
  Job job;
  StepTimes times;
  std::size_t deciding;
};

std::vector<Drawn> drawn(std::size_t count) {
  std::vector<Drawn> all;
  test::Random random(7);
  const Machine machine = completed(Machine{});
  while (all.size() < count) {
    const Job job = test::runnable(test::random_training(random), machine);
    if (job.layout.pipeline_parallel == 1) continue;
    const StepTimes times = step_times(StepModel(job));
    if (pipeline_bars(times.plan) > 20000) continue;
    all.push_back({job, times, step_result(times).stage});
  }
  return all;
}

// One bubble: what the passes in their order leave idle is what the step pays for, under every schedule.
TEST(PipelineTimeline, IdlesForTheStepsBubble) {
  std::map<PipelineSchedule, int> seen;
  for (const Drawn& one : drawn(800)) {
    const StepTimes& times = one.times;
    const PipelineTimes pipeline = pipeline_times(times.passes, times.boundary, times.plan);
    const auto passes_us = [&](std::size_t at) {
      return times.plan.micro_batches * (times.passes.by_stage[at].joint_us + pipeline[at].crossing_us);
    };
    const std::size_t typical = times.passes.typical_at();
    // A stage that decides by its exchange with replicas alone is not the slowest of the pipeline.
    if (passes_us(one.deciding) < passes_us(typical)) continue;
    const PipelineSchedule schedule = times.plan.schedule;
    ++seen[schedule];
    const double paid_us =
        (is_dual(times) ? passes_us(typical)
                        : passes_us(one.deciding) + times.passes.by_stage[one.deciding].unpaired_us) +
        pipeline[one.deciding].bubble_us;
    EXPECT_NEAR(span_us(pipeline_timeline(times, one.deciding)), paid_us, 1e-9 * paid_us)
        << pipeline_schedule_names[static_cast<std::size_t>(schedule)] << " stages " << times.plan.stages
        << " chunks " << times.plan.virtual_stages << " micro-batches " << times.plan.micro_batches;
  }
  ASSERT_EQ(seen.size(), std::size(pipeline_schedule_names));
  for (const auto& [schedule, count] : seen) EXPECT_GT(count, 10);
}

// The formula is what the order takes for any passes, with as few micro-batches as there can be and with
// many.
TEST(PipelineTimeline, OfEqualStagesIdlesAsLongAsTheFormula) {
  const std::vector<StagePass> passes = {{100, 100, 100}, {100, 100, 0},  {100, 110, 90},
                                         {100, 200, 60},  {130, 100, 80}, {90, 250, 40}};
  for (std::size_t schedule = 0; schedule < std::size(pipeline_schedule_names); ++schedule) {
    for (const double stages : {2.0, 3.0, 4.0, 5.0, 8.0, 16.0}) {
      Layout layout;
      layout.pipeline_schedule = static_cast<PipelineSchedule>(schedule);
      layout.pipeline_parallel = static_cast<std::int64_t>(stages);
      if (layout.pipeline_schedule == PipelineSchedule::interleaved) layout.virtual_stages = 3;
      const bool dual = ends_meet(layout);
      if (layout.pipeline_schedule == PipelineSchedule::dualpipe && layout.pipeline_parallel % 2 != 0)
        continue;
      std::vector<double> counts = {2 * stages, 4 * stages, 10 * stages};
      if (!dual && layout.virtual_stages == 1) counts.insert(counts.end(), {1, 2, stages, 2 * stages - 1});
      for (const double micro_batches : counts) {
        for (const StagePass& pass : passes) {
          StageTime stage;
          stage.forward_pass_us = pass.forward;
          stage.joint_us = stage.device_us = pass.forward + pass.input_gradient + pass.weight_gradient;
          stage.filler_us = pass.weight_gradient;
          StepTimes times;
          times.plan.schedule = layout.pipeline_schedule;
          times.plan.stages = stages;
          times.plan.virtual_stages = static_cast<double>(chunks_of_a_stage(layout));
          times.plan.micro_batches = micro_batches;
          times.passes.stages.add({1, 0, true, false});
          times.passes.stages.add({1, 0, false, true});
          times.passes.by_stage.fill(stage);
          EXPECT_NEAR(span_us(pipeline_timeline(times, 0)) - micro_batches * stage.joint_us,
                      bubble_of(times.plan.schedule, stages, times.plan.virtual_stages, micro_batches, pass),
                      1e-6)
              << pipeline_schedule_names[schedule] << " stages " << stages << " micro-batches "
              << micro_batches << " passes " << pass.forward << ' ' << pass.input_gradient << ' '
              << pass.weight_gradient;
        }
      }
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
