#include "core/training/pipeline_order.h"

#include <algorithm>

namespace commcost {
namespace {

using Count = std::int64_t;
using Passes = std::vector<StagePassOrder>;

bool puts_off_weight_gradients(PipelineSchedule schedule) {
  return schedule == PipelineSchedule::zero_bubble || schedule == PipelineSchedule::zero_bubble_2p;
}

// One forward, one backward in turn, after the forward passes that fill the stages behind; weight gradients
// of as many micro-batches as there are stages before this one are delayed.
class InTurn {
 public:
  InTurn(const PipelineShape& shape, Count stage) : shape_(shape), put_off_(stage) {
    const Count behind = shape.stages - stage - 1;
    const bool twice = shape.schedule == PipelineSchedule::zero_bubble_2p;
    const Count first = shape.schedule == PipelineSchedule::gpipe ? shape.micro_batches
                        : twice                                   ? 2 * behind
                                                                  : behind;
    if (twice) put_off_ = 2 * stage;
    fill_ = std::min(first, shape.micro_batches);
  }

  Passes take() {
    for (Count at = 0; at < fill_; ++at) passes_.push_back({StageWork::forward, at});
    for (Count at = fill_; at < shape_.micro_batches; ++at) {
      passes_.push_back({StageWork::forward, at});
      backward();
    }
    while (next_ < shape_.micro_batches) backward();
    if (puts_off_weight_gradients(shape_.schedule)) {
      for (Count at = std::max<Count>(0, next_ - put_off_); at < next_; ++at)
        passes_.push_back({StageWork::weight_gradient, at});
    }
    return std::move(passes_);
  }

 private:
  void backward() {
    const bool splits = puts_off_weight_gradients(shape_.schedule);
    passes_.push_back({StageWork::backward, next_, 0, splits ? PassKind::put_off : PassKind::alone});
    if (splits && next_ >= put_off_) passes_.push_back({StageWork::weight_gradient, next_ - put_off_});
    ++next_;
  }

  PipelineShape shape_;
  Count put_off_;
  Count fill_ = 0;
  Count next_ = 0;
  Passes passes_;
};

// Megatron's order (arXiv:2104.04473, section 2.2.2): rounds of as many micro-batches as stages, chunk by
// chunk.
Passes interleaved(const PipelineShape& shape, Count stage) {
  const Count total = shape.micro_batches * shape.chunks;
  const auto pass = [&shape](StageWork work, Count at) {
    const Count chunk = at / shape.stages % shape.chunks;
    const Count micro_batch = at / (shape.stages * shape.chunks) * shape.stages + at % shape.stages;
    return StagePassOrder{work, micro_batch, work == StageWork::forward ? chunk : shape.chunks - 1 - chunk};
  };
  const Count fill =
      shape.micro_batches == shape.stages
          ? total
          : std::min(2 * (shape.stages - stage - 1) + (shape.chunks - 1) * shape.stages, total);
  Passes passes;
  for (Count at = 0; at < fill; ++at) passes.push_back(pass(StageWork::forward, at));
  for (Count at = fill; at < total; ++at) {
    passes.push_back(pass(StageWork::forward, at));
    passes.push_back(pass(StageWork::backward, at - fill));
  }
  for (Count at = total - fill; at < total; ++at) passes.push_back(pass(StageWork::backward, at));
  return passes;
}

// The eight phases of DualPipe (arXiv:2412.19437, figure 5; github.com/deepseek-ai/DualPipe), seen from a
// stage with `before` others nearer to the middle. The direction that reaches it first is the near one; the
// far one has been through the middle. The V is half of it.
class Dual {
 public:
  Dual(const PipelineShape& shape, Count stage) : folded_(shape.schedule == PipelineSchedule::dualpipe_v) {
    const Count half = folded_ ? shape.stages : shape.stages / 2;
    const bool mirrored = !folded_ && stage >= half;
    from_end_ = mirrored ? shape.stages - 1 - stage : stage;
    before_ = half - 1 - from_end_;
    each_ = folded_ ? shape.micro_batches : shape.micro_batches / 2;
    main_ = each_ - 2 * half + from_end_ + 1;
    near_chunk_ = mirrored ? 1 : 0;
  }

  Passes take() {
    fill();
    for (Count at = 0; at < main_; ++at) {
      // In the middle, the first two do not run alongside each other: this makes the bubble smaller.
      forward(near, at == 0 && before_ == 0 ? PassKind::alone : PassKind::beside_next);
      backward(far);
      forward(far, PassKind::beside_next);
      backward(near);
    }
    for (Count at = 0; at < before_; ++at) {
      backward(far);
      forward(far, PassKind::beside_next);
      backward(near);
    }
    drain();
    return std::move(passes_);
  }

 private:
  enum Way { near, far };

  void fill() {
    for (Count at = 0; at < 2 * before_; ++at) forward(near);
    for (Count at = 0; at <= from_end_; ++at) {
      forward(near);
      forward(far);
    }
    for (Count at = 0; at < before_; ++at) {
      backward(far, PassKind::put_off);
      weight_gradient();
      forward(far);
    }
  }

  // The second half of the last backward passes delays its weight gradients.
  void drain() {
    const Count passes = from_end_ + 1;
    for (Count at = 0; at < 2 * passes; ++at)
      backward(at % 2 == 0 ? far : near, at >= passes ? PassKind::put_off : PassKind::alone);
    for (Count at = 0; at < before_; ++at) {
      weight_gradient();
      backward(near, PassKind::put_off);
    }
    for (Count at = 0; at < passes; ++at) weight_gradient();
  }

  // In DualPipe either direction has its own micro-batches, in the V both are chunks of the same.
  StagePassOrder pass(StageWork work, Way way, Count at, PassKind kind) const {
    const Count chunk = way == near ? near_chunk_ : 1 - near_chunk_;
    return {work, folded_ ? at : chunk * each_ + at, chunk, kind};
  }
  void forward(Way way, PassKind kind = PassKind::alone) {
    passes_.push_back(pass(StageWork::forward, way, forward_[way]++, kind));
  }
  void backward(Way way, PassKind kind = PassKind::alone) {
    passes_.push_back(pass(StageWork::backward, way, backward_[way]++, kind));
    if (kind != PassKind::put_off) return;
    put_off_.push_back(passes_.back());
    put_off_.back().work = StageWork::weight_gradient;
    put_off_.back().kind = PassKind::alone;
  }
  void weight_gradient() { passes_.push_back(put_off_[done_++]); }

  bool folded_;
  Count from_end_;    // stages between this one and the nearer end
  Count before_;      // stages between this one and the middle
  Count each_;        // micro-batches of either direction
  Count main_;        // rounds of forward and backward side by side
  Count near_chunk_;  // the chunk of the direction that comes here first
  Count forward_[2] = {0, 0};
  Count backward_[2] = {0, 0};
  Passes passes_;
  Passes put_off_;
  std::size_t done_ = 0;
};

// A place `step` further along the path.
std::optional<PipelinePlace> moved(const PipelineShape& shape, const PipelinePlace& place, Count step) {
  const Count last = shape.stages - 1;
  const bool returns = shape.ends_meet() && place.chunk == 1;
  const Count stage = place.stage + (returns ? -step : step);
  if (stage >= 0 && stage <= last) return PipelinePlace{stage, place.chunk};
  if (shape.schedule == PipelineSchedule::dualpipe && shape.ends_meet()) return std::nullopt;
  const Count chunk = place.chunk + step;
  if (chunk < 0 || chunk >= shape.chunks) return std::nullopt;
  // The fold of the V is on one stage; other chunks begin on the first.
  if (shape.ends_meet()) return PipelinePlace{place.stage, chunk};
  return PipelinePlace{step > 0 ? 0 : last, chunk};
}

}  // namespace

std::optional<PipelinePlace> place_before(const PipelineShape& shape, const PipelinePlace& place) {
  return moved(shape, place, -1);
}

std::optional<PipelinePlace> place_after(const PipelineShape& shape, const PipelinePlace& place) {
  return moved(shape, place, 1);
}

std::vector<StagePassOrder> passes_in_order(const PipelineShape& shape, std::int64_t stage) {
  if (shape.schedule == PipelineSchedule::interleaved && shape.chunks > 1) return interleaved(shape, stage);
  if (shape.ends_meet()) return Dual(shape, stage).take();
  return InTurn(shape, stage).take();
}

double number_of_passes(const PipelineShape& shape) {
  const auto stages = static_cast<double>(shape.stages);
  const double passes = stages * static_cast<double>(shape.chunks) * static_cast<double>(shape.micro_batches);
  if (!shape.ends_meet()) return passes * (puts_off_weight_gradients(shape.schedule) ? 3 : 2);
  // In each half, stage i of h delays 2 h - i - 1 weight gradients.
  const bool folded = shape.schedule == PipelineSchedule::dualpipe_v;
  const double half = folded ? stages : stages / 2;
  return 2 * passes + (folded ? 1 : 2) * half * (3 * half - 1) / 2;
}

}  // namespace commcost
