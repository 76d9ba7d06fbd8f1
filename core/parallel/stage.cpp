#include "core/parallel/stage.h"

#include <algorithm>

namespace commcost {
namespace {

// A piece of the model, `count` layers from one on: the dense ones come first.
class Pieces {
 public:
  explicit Pieces(const ModelShape& shape)
      : layers_(static_cast<double>(shape.num_layers)),
        dense_(layers_ - static_cast<double>(expert_layers(shape))),
        has_experts_(has_experts(shape)) {}

  Stage from(double at, double count) const {
    const double plain = has_experts_ ? std::clamp(dense_ - at, 0.0, count) : count;
    return {plain, std::min(count - plain, layers_ - dense_), false, false};
  }
  // `count` layers, half of them from `at` on, half as far from the end.
  Stage folded(double at, double count) const {
    const Stage there = from(at, count / 2);
    const Stage back = from(layers_ - at - count / 2, count / 2);
    return {there.dense_layers + back.dense_layers, there.moe_layers + back.moe_layers, false, false};
  }

 private:
  double layers_;
  double dense_;
  bool has_experts_;
};

Stage at_end(Stage stage, bool is_first, bool is_last) {
  stage.is_first = is_first;
  stage.is_last = is_last;
  return stage;
}

DistinctStages in_line(const Pieces& pieces, const StageLayers& dealt, double stages) {
  DistinctStages found;
  found.add(at_end(pieces.from(0, dealt.first), true, false));
  if (stages > 2) {
    const Stage inner = pieces.from(dealt.first + (stages - 3) * dealt.inner, dealt.inner);
    if (inner.moe_layers != found[0].moe_layers || inner.layers() != found[0].layers()) found.add(inner);
  }
  found.add(at_end(pieces.from(dealt.first + (stages - 2) * dealt.inner, dealt.last), false, true));
  return found;
}

// The way of DualPipe is folded too, only that each half has micro-batches of its own: layers count twice,
// and half as often. Its middle is as the last stage of DualPipe-V.
DistinctStages where_ends_meet(const Pieces& pieces, const Layout& layout, const StageLayers& dealt) {
  const auto copies = static_cast<double>(held_copies(layout));
  const auto stages = static_cast<double>(layout.pipeline_parallel);
  const double pairs = stages / copies;
  const auto pair = [&](double at, double layers) {
    Stage stage = pieces.folded(at, copies * layers);
    stage.dense_layers /= copies;
    stage.moe_layers /= copies;
    stage.copies = copies;
    return stage;
  };
  // Layers of half of a pair's way.
  const double end = dealt.first * copies / 2;
  const double inner = dealt.inner * copies / 2;
  DistinctStages found;
  found.add(at_end(pair(0, dealt.first), true, true));
  const double before_middle = end + std::max(0.0, pairs - 2) * inner;
  if (copies > 1) {
    if (stages > 2) found.add(pair(before_middle, dealt.inner));
    found.add(at_end(pair(0, dealt.last), true, true));
    return found;
  }
  if (stages > 2) found.add(pair(before_middle - inner, dealt.inner));
  Stage last = pair(before_middle, dealt.last);
  last.turns = true;
  found.add(last);
  return found;
}

}  // namespace

DistinctStages distinct_stages(const Setting& setting, const StageShare& share) {
  const Pieces pieces(setting.shape);
  if (setting.layout.pipeline_parallel == 1) {
    DistinctStages found;
    found.add(at_end(pieces.from(0, static_cast<double>(setting.shape.num_layers)), true, true));
    return found;
  }
  if (ends_meet(setting.layout)) return where_ends_meet(pieces, setting.layout, share.dealt);
  return in_line(pieces, share.dealt, static_cast<double>(setting.layout.pipeline_parallel));
}

}  // namespace commcost
