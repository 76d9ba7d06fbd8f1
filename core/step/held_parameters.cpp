#include "core/step/held_parameters.h"

#include <algorithm>

namespace commcost {

StageParameters parameters_of(const StageShare& share, const Stage& stage) {
  return {stage.dense_layers * share.layer + stage.moe_layers * share.expert_layer +
              (stage.is_first ? share.embedding : 0) + (stage.is_last ? share.lm_head : 0),
          stage.moe_layers * share.experts};
}

StageLayers stage_layers(const Setting& setting, const StageShare& share) {
  const auto layers = static_cast<double>(setting.shape.num_layers);
  const auto stages = static_cast<double>(setting.layout.pipeline_parallel);
  if (stages == 1) return {layers, layers};
  return {share.layers, std::max(0.0, layers - share.layers * (stages - 1))};
}

HeldParameters held_parameters(const Setting& setting, const StageShare& share) {
  const StageLayers layers = stage_layers(setting, share);
  // Layers with experts come last, so that every late stage has nothing else.
  const double sparse = share.expert_layers / share.layers;
  const bool only = setting.layout.pipeline_parallel == 1;
  const auto of = [&](double count, bool is_first, bool is_last) {
    return parameters_of(share, {count * (1 - sparse), count * sparse, is_first, is_last});
  };
  return {of(layers.first, true, only), of(layers.last, only, true)};
}

}  // namespace commcost
