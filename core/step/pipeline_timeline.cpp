#include "core/step/pipeline_timeline.h"

#include <algorithm>

namespace commcost {
namespace {

using Count = std::int64_t;

struct Pass {
  StageWork work;
  Count micro_batch;
  Count chunk;
};

struct Shape {
  PipelineSchedule schedule;
  Count stages;
  Count chunks;
  Count micro_batches;

  bool puts_off_weight_gradients() const {
    return schedule == PipelineSchedule::zero_bubble || schedule == PipelineSchedule::zero_bubble_2p;
  }
};

// One forward, one backward in turn, after the forward passes that fill the stages behind; weight gradients
// of as many micro-batches as stages before this one are put off.
class InTurn {
 public:
  InTurn(const Shape& shape, Count stage) : shape_(shape), put_off_(stage) {
    const Count behind = shape.stages - stage - 1;
    const bool twice = shape.schedule == PipelineSchedule::zero_bubble_2p;
    const Count first = shape.schedule == PipelineSchedule::gpipe ? shape.micro_batches
                        : twice                                   ? 2 * behind
                                                                  : behind;
    if (twice) put_off_ = 2 * stage;
    fill_ = std::min(first, shape.micro_batches);
  }

  std::vector<Pass> passes() {
    for (Count at = 0; at < fill_; ++at) passes_.push_back({StageWork::forward, at, 0});
    for (Count at = fill_; at < shape_.micro_batches; ++at) {
      passes_.push_back({StageWork::forward, at, 0});
      backward();
    }
    while (next_ < shape_.micro_batches) backward();
    if (shape_.puts_off_weight_gradients()) {
      for (Count at = std::max<Count>(0, next_ - put_off_); at < next_; ++at)
        passes_.push_back({StageWork::weight_gradient, at, 0});
    }
    return std::move(passes_);
  }

 private:
  void backward() {
    passes_.push_back({StageWork::backward, next_, 0});
    if (shape_.puts_off_weight_gradients() && next_ >= put_off_)
      passes_.push_back({StageWork::weight_gradient, next_ - put_off_, 0});
    ++next_;
  }

  Shape shape_;
  Count put_off_;
  Count fill_ = 0;
  Count next_ = 0;
  std::vector<Pass> passes_;
};

// Megatron's order (arXiv:2104.04473, section 2.2.2): rounds of as many micro-batches as stages, chunk by
// chunk.
std::vector<Pass> interleaved(const Shape& shape, Count stage) {
  const Count total = shape.micro_batches * shape.chunks;
  const auto pass = [&shape](StageWork work, Count at) {
    const Count chunk = at / shape.stages % shape.chunks;
    const Count micro_batch = at / (shape.stages * shape.chunks) * shape.stages + at % shape.stages;
    return Pass{work, micro_batch, work == StageWork::forward ? chunk : shape.chunks - 1 - chunk};
  };
  const Count fill =
      shape.micro_batches == shape.stages
          ? total
          : std::min(2 * (shape.stages - stage - 1) + (shape.chunks - 1) * shape.stages, total);
  std::vector<Pass> passes;
  for (Count at = 0; at < fill; ++at) passes.push_back(pass(StageWork::forward, at));
  for (Count at = fill; at < total; ++at) {
    passes.push_back(pass(StageWork::forward, at));
    passes.push_back(pass(StageWork::backward, at - fill));
  }
  for (Count at = total - fill; at < total; ++at) passes.push_back(pass(StageWork::backward, at));
  return passes;
}

std::vector<Pass> passes_of(const Shape& shape, Count stage) {
  if (shape.schedule == PipelineSchedule::interleaved && shape.chunks > 1) return interleaved(shape, stage);
  return InTurn(shape, stage).passes();
}

// One chunk of a stage, us.
struct ChunkTimes {
  double of[3] = {0, 0, 0};  // by StageWork
};

// What a stage needs for a micro-batch, boundaries included, us.
double pass_us(const StageTime& stage, const PipelineTime& pipeline) {
  return stage.joint_us + pipeline.crossing_us;
}

// The mean over its micro-batches, of which the first and the last are alone in one pass each.
double mean_pass_us(const StageTime& stage, const PipelineTime& pipeline, double micro_batches) {
  return pass_us(stage, pipeline) + stage.unpaired_us / micro_batches;
}

// `forward_share` of all of it is the forward pass: how it is split does not matter, as long as no pass of
// the slowest stage is quicker than those of others.
ChunkTimes chunk_times(const StageTime& stage, double all_us, double forward_share, const Shape& shape) {
  const double put_off = shape.puts_off_weight_gradients() ? stage.filler_us : 0;
  const auto chunks = static_cast<double>(shape.chunks);
  const double forward = all_us * forward_share;
  return {{forward / chunks, (all_us - forward - put_off) / chunks, put_off / chunks}};
}

class Execution {
 public:
  // `hop_us` is what the first and the last crossing of a boundary together take longer than others.
  Execution(const Shape& shape, const ChunkTimes& typical, const ChunkTimes& last, double hop_us)
      : shape_(shape),
        typical_(typical),
        last_(last),
        hop_us_(hop_us / 2),
        stages_(static_cast<std::size_t>(shape.stages)) {
    for (Count stage = 0; stage < shape.stages; ++stage) {
      Stage& one = stages_[static_cast<std::size_t>(stage)];
      one.passes = passes_of(shape, stage);
      one.ends.assign(static_cast<std::size_t>(2 * shape.chunks * shape.micro_batches), -1);
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
    std::vector<Pass> passes;
    std::vector<double> ends;  // of forward, then backward passes, by chunk and micro-batch; below 0: not yet
    std::vector<PipelineBar> bars;
    std::size_t next = 0;
    std::size_t last_backward = 0;
    double free_us = 0;
  };

  double& end_of(Count stage, StageWork work, Count chunk, Count micro_batch) {
    const Count at =
        ((work == StageWork::forward ? 0 : 1) * shape_.chunks + chunk) * shape_.micro_batches + micro_batch;
    return stages_[static_cast<std::size_t>(stage)].ends[static_cast<std::size_t>(at)];
  }

  // When what a pass needs is there; below 0: not yet.
  double ready_us(Count stage, const Pass& pass) {
    const Count last = shape_.stages - 1;
    switch (pass.work) {
      case StageWork::forward:
        if (stage > 0) return end_of(stage - 1, StageWork::forward, pass.chunk, pass.micro_batch);
        return pass.chunk == 0 ? 0 : end_of(last, StageWork::forward, pass.chunk - 1, pass.micro_batch);
      case StageWork::backward:
        if (stage < last) return end_of(stage + 1, StageWork::backward, pass.chunk, pass.micro_batch);
        if (pass.chunk + 1 < shape_.chunks)
          return end_of(0, StageWork::backward, pass.chunk + 1, pass.micro_batch);
        return end_of(stage, StageWork::forward, pass.chunk, pass.micro_batch);
      case StageWork::weight_gradient:
        break;
    }
    return end_of(stage, StageWork::backward, pass.chunk, pass.micro_batch);
  }

  bool step(Count at) {
    Stage& stage = stages_[static_cast<std::size_t>(at)];
    if (stage.next == stage.passes.size()) return false;
    const Pass& pass = stage.passes[stage.next];
    double ready = ready_us(at, pass);
    if (ready < 0) return false;
    // Nothing hides the first crossing of each boundary, nor the last.
    if (at > 0 && stage.next == 0) ready += hop_us_;
    if (at + 1 < shape_.stages && stage.next == stage.last_backward) ready += hop_us_;
    const ChunkTimes& times = at + 1 == shape_.stages ? last_ : typical_;
    const double start = std::max(stage.free_us, ready);
    const double duration = times.of[static_cast<int>(pass.work)];
    stage.free_us = start + duration;
    if (pass.work != StageWork::weight_gradient)
      end_of(at, pass.work, pass.chunk, pass.micro_batch) = stage.free_us;
    stage.bars.push_back({static_cast<double>(at), static_cast<double>(pass.chunk),
                          static_cast<double>(pass.micro_batch), pass.work, start, duration});
    ++stage.next;
    return true;
  }

  Shape shape_;
  ChunkTimes typical_;
  ChunkTimes last_;
  double hop_us_;
  std::vector<Stage> stages_;
};

}  // namespace

double pipeline_bars(const PipelinePlan& plan) {
  const bool splits =
      plan.schedule == PipelineSchedule::zero_bubble || plan.schedule == PipelineSchedule::zero_bubble_2p;
  return plan.stages * plan.virtual_stages * plan.micro_batches * (splits ? 3 : 2);
}

PipelineTimeline pipeline_timeline(const StepTimes& times, std::size_t deciding) {
  const Shape shape{times.plan.schedule, static_cast<Count>(times.plan.stages),
                    static_cast<Count>(times.plan.virtual_stages),
                    static_cast<Count>(times.plan.micro_batches)};
  const PipelineTimes pipeline = pipeline_times(times.passes, times.boundary, times.plan);
  const std::size_t typical = times.passes.typical_at();
  const StageTime& stage = times.passes.of[typical];
  const StageTime& slowest = times.passes.of[deciding];
  const double typical_us = pass_us(stage, pipeline[typical]);
  const double forward_share = (stage.forward_us + pipeline[typical].crossing_us / 2) / typical_us;
  const double steady_us = pipeline[typical].crossing_us / times.plan.virtual_stages;
  const double alone_us = stage.unpaired_us / times.plan.virtual_stages;
  const double hop_us =
      shape.stages > 1 ? std::max(0.0, times.boundary.total_us() - steady_us) + alone_us : 0;
  return Execution(shape, chunk_times(stage, typical_us, forward_share, shape),
                   chunk_times(slowest, mean_pass_us(slowest, pipeline[deciding], times.plan.micro_batches),
                               forward_share, shape),
                   hop_us)
      .run();
}

}  // namespace commcost
