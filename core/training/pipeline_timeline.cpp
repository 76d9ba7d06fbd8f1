#include "core/training/pipeline_timeline.h"

#include <algorithm>

namespace commcost {
namespace {

using Count = std::int64_t;

// One chunk of a stage, us.
double time_of(const StagePassOrder& pass, const StagePass& chunk) {
  if (pass.work == StageWork::forward) return chunk.forward;
  if (pass.work == StageWork::weight_gradient) return chunk.weight_gradient;
  return pass.kind == PassKind::put_off ? chunk.input_gradient : chunk.input_gradient + chunk.weight_gradient;
}

StagePass in_chunks(const StagePass& pass, double chunks) {
  return {pass.forward / chunks, pass.input_gradient / chunks, pass.weight_gradient / chunks};
}

// A stage's pass that takes `all_us`, with the forward pass's usual share of it.
StagePass slowed_to(double all_us, double weight_gradient_us, const StagePass& typical) {
  const double total_us = typical.forward + typical.input_gradient + typical.weight_gradient;
  const double forward_us = all_us * typical.forward / total_us;
  return {forward_us, all_us - forward_us - weight_gradient_us, weight_gradient_us};
}

// Passes that start together: one, or two alongside each other.
struct Start {
  std::size_t passes = 1;
  double ready_us = 0;  // when their inputs are there; below 0: not yet
};

class Execution {
 public:
  Execution(const PipelineShape& shape, const StagePass& typical, const StagePass& last, double hop_us)
      : shape_(shape),
        typical_(in_chunks(typical, static_cast<double>(shape.chunks))),
        last_(in_chunks(last, static_cast<double>(shape.chunks))),
        hop_us_(hop_us / 2),
        stages_(static_cast<std::size_t>(shape.stages)) {
    for (Count stage = 0; stage < shape.stages; ++stage) {
      Stage& one = stages_[static_cast<std::size_t>(stage)];
      one.passes = passes_in_order(shape, stage);
      one.ends.assign(static_cast<std::size_t>(2 * shape.lanes() * shape.micro_batches), -1);
      for (std::size_t at = 0; at < one.passes.size(); ++at) {
        if (one.passes[at].work == StageWork::backward) one.last_backward = at;
      }
    }
  }

  PipelineTimeline run() {
    bool moved = true;
    while (moved) {
      moved = false;
      for (Count stage = 0; stage < shape_.stages; ++stage) {
        while (step(stage)) moved = true;
      }
    }
    PipelineTimeline timeline;
    for (Stage& stage : stages_) {
      timeline.length_us = std::max(timeline.length_us, stage.free_us);
      timeline.bars.insert(timeline.bars.end(), stage.bars.begin(), stage.bars.end());
    }
    return timeline;
  }

 private:
  struct Stage {
    std::vector<StagePassOrder> passes;
    std::vector<double> ends;  // of forward, then backward passes, by chunk and micro-batch; below 0: not yet
    std::vector<PipelineBar> bars;
    std::size_t next = 0;
    std::size_t last_backward = 0;
    double free_us = 0;
  };

  double& end_of(const PipelinePlace& place, StageWork work, Count micro_batch) {
    const Count at =
        ((work == StageWork::forward ? 0 : 1) * shape_.lanes() + place.chunk) * shape_.micro_batches +
        micro_batch;
    return stages_[static_cast<std::size_t>(place.stage)].ends[static_cast<std::size_t>(at)];
  }

  // When a pass's inputs are there; below 0: not yet.
  double ready_us(Count stage, const StagePassOrder& pass) {
    const PipelinePlace here{stage, pass.chunk};
    if (pass.work == StageWork::weight_gradient) return end_of(here, StageWork::backward, pass.micro_batch);
    if (pass.work == StageWork::forward) {
      const std::optional<PipelinePlace> before = place_before(shape_, here);
      return before ? end_of(*before, StageWork::forward, pass.micro_batch) : 0;
    }
    const std::optional<PipelinePlace> after = place_after(shape_, here);
    return after ? end_of(*after, StageWork::backward, pass.micro_batch)
                 : end_of(here, StageWork::forward, pass.micro_batch);
  }

  // Filling starts at one end, or at both; draining runs the other way.
  bool is_filled_first(Count stage) const {
    const bool both_ends = shape_.schedule == PipelineSchedule::dualpipe;
    return stage == 0 || (both_ends && stage + 1 == shape_.stages);
  }
  bool is_filled_last(Count stage) const {
    if (shape_.schedule != PipelineSchedule::dualpipe) return stage + 1 == shape_.stages;
    return stage == shape_.stages / 2 || stage + 1 == shape_.stages / 2;
  }

  Start start_of(Count at, const Stage& stage) {
    Start start;
    start.passes = stage.passes[stage.next].kind == PassKind::beside_next ? 2 : 1;
    for (std::size_t one = 0; one < start.passes; ++one) {
      const double ready = ready_us(at, stage.passes[stage.next + one]);
      if (ready < 0) return {start.passes, -1};
      start.ready_us = std::max(start.ready_us, ready);
    }
    // Nothing hides the first and the last crossing of each boundary.
    if (!is_filled_first(at) && stage.next == 0) start.ready_us += hop_us_;
    if (!is_filled_last(at) && stage.next == stage.last_backward) start.ready_us += hop_us_;
    return start;
  }

  bool step(Count at) {
    Stage& stage = stages_[static_cast<std::size_t>(at)];
    if (stage.next == stage.passes.size()) return false;
    const Start start = start_of(at, stage);
    if (start.ready_us < 0) return false;
    const StagePass& chunk = at + 1 == shape_.stages ? last_ : typical_;
    stage.free_us = std::max(stage.free_us, start.ready_us);
    for (std::size_t one = 0; one < start.passes; ++one) {
      const StagePassOrder& pass = stage.passes[stage.next + one];
      const double duration = time_of(pass, chunk);
      stage.bars.push_back({static_cast<double>(at), static_cast<double>(pass.chunk),
                            static_cast<double>(pass.micro_batch), pass.work, stage.free_us, duration});
      stage.free_us += duration;
    }
    for (std::size_t one = 0; one < start.passes; ++one) {
      const StagePassOrder& pass = stage.passes[stage.next + one];
      if (pass.work != StageWork::weight_gradient)
        end_of({at, pass.chunk}, pass.work, pass.micro_batch) = stage.free_us;
    }
    stage.next += start.passes;
    return true;
  }

  PipelineShape shape_;
  StagePass typical_;
  StagePass last_;
  double hop_us_;
  std::vector<Stage> stages_;
};

PipelineShape shape_of(const PipelinePlan& plan) {
  return {plan.schedule, static_cast<Count>(plan.stages), static_cast<Count>(plan.virtual_stages),
          static_cast<Count>(plan.micro_batches)};
}

}  // namespace

double pipeline_bars(const PipelinePlan& plan) {
  return number_of_passes(shape_of(plan));
}

PipelineTimeline pipeline_timeline(const StepTimes& times, std::size_t deciding) {
  const PipelinePlan& plan = times.plan;
  const PipelineTimes pipeline = pipeline_times(times.passes, times.boundary, plan);
  const std::size_t typical = times.passes.typical_at();
  const PipelinePass passes =
      pipeline_pass(times.passes.by_stage[typical], pipeline[typical].crossing_us, times.boundary, plan);
  // The mean over its micro-batches, of which the first and the last run one pass alone each.
  const StageTime& slowest = times.passes.by_stage[deciding];
  const double slowest_us =
      slowest.joint_us + pipeline[deciding].crossing_us + slowest.unpaired_us / plan.micro_batches;
  const PipelineShape shape = shape_of(plan);
  return Execution(shape, passes.pass,
                   shape.ends_meet() ? passes.pass : slowed_to(slowest_us, slowest.filler_us, passes.pass),
                   plan.stages > 1 ? passes.hop_us : 0)
      .run();
}

}  // namespace commcost
