#include "core/parallel/stage.h"

#include <algorithm>

#include "core/model/recomputation.h"

namespace commcost {
namespace {

// A piece of the model, `count` layers from one layer on: the dense ones come first.
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

StagePlace place_at(std::int64_t at, std::int64_t stages) {
  if (stages == 1) return StagePlace::only;
  return at == 0 ? StagePlace::first : at == stages - 1 ? StagePlace::last : StagePlace::inner;
}

double layers_at(StagePlace place, const StageLayers& dealt) {
  return place == StagePlace::last ? dealt.last : place == StagePlace::inner ? dealt.inner : dealt.first;
}

// DualPipe's path is folded too, but each half has its own micro-batches: layers count twice, and half as
// often. Its middle is like the last stage of DualPipe-V.
Stage where_ends_meet(const Pieces& pieces, const Layout& layout, const StageLayers& dealt, std::int64_t at) {
  const std::int64_t stages = layout.pipeline_parallel;
  const auto copies = static_cast<double>(held_copies(layout));
  const std::int64_t pair = copies > 1 ? std::min(at, stages - 1 - at) : at;
  // Layers of half of the way of the pairs before it.
  const double before = pair == 0 ? 0 : dealt.first + static_cast<double>(pair - 1) * dealt.inner;
  const StagePlace place = place_at(at, stages);
  Stage stage = pieces.folded(before * copies / 2, copies * layers_at(place, dealt));
  stage.dense_layers /= copies;
  stage.moe_layers /= copies;
  stage.is_first = stage.is_last = pair == 0;
  stage.turns = copies == 1 && place == StagePlace::last;
  stage.copies = copies;
  stage.place = place;
  return stage;
}

Stage with_shares(Stage stage, const Work& work) {
  const double layers = stage.layers();
  stage.repeated_share = repeated_share(work, layers);
  if (layers > 0) stage.offloaded_share = std::min(1.0, static_cast<double>(work.offloaded_layers) / layers);
  return stage;
}

}  // namespace

Stage stage_at(const Job& job, const StageShare& share, std::int64_t at) {
  const Pieces pieces(job.model);
  const StageLayers& dealt = share.dealt;
  if (ends_meet(job.layout)) return with_shares(where_ends_meet(pieces, job.layout, dealt, at), job.work);
  const StagePlace place = place_at(at, job.layout.pipeline_parallel);
  const double before = at == 0 ? 0 : dealt.first + static_cast<double>(at - 1) * dealt.inner;
  Stage stage = pieces.from(before, layers_at(place, dealt));
  stage.is_first = place == StagePlace::only || place == StagePlace::first;
  stage.is_last = place == StagePlace::only || place == StagePlace::last;
  stage.place = place;
  return with_shares(stage, job.work);
}

double repeated_share(const Job& job, const StageShare& share) {
  if (!repeats_some_layers(job.work)) return 1;
  const auto repeated = [&job](double layers) { return repeated_share(job.work, layers) * layers; };
  const auto stages = static_cast<double>(job.layout.pipeline_parallel);
  const auto& [first, inner, last] = share.dealt;
  const double sum = repeated(first) + (stages > 1 ? (stages - 2) * repeated(inner) + repeated(last) : 0);
  return sum / static_cast<double>(job.model.num_layers);
}

std::int64_t inner_stage(const Layout& layout) {
  // The dense layers come first; in DualPipe the middle of the way is in the middle of the line.
  return held_copies(layout) > 1 ? layout.pipeline_parallel / 2 - 1 : layout.pipeline_parallel - 2;
}

DistinctStages distinct_stages(const Job& job, const StageShare& share) {
  const std::int64_t stages = job.layout.pipeline_parallel;
  DistinctStages found;
  found.add(stage_at(job, share, 0));
  if (stages > 2) {
    const Stage inner = stage_at(job, share, inner_stage(job.layout));
    const bool alike = inner.moe_layers == found[0].moe_layers && inner.layers() == found[0].layers();
    if (!alike || ends_meet(job.layout)) found.add(inner);
  }
  if (stages > 1) found.add(stage_at(job, share, stages - 1));
  return found;
}

}  // namespace commcost
