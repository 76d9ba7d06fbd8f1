#include "core/step/held_parameters.h"

namespace commcost {

StageParameters parameters_of(const StageShare& share, const Stage& stage) {
  return {stage.dense_layers * share.layer + stage.moe_layers * share.expert_layer +
              (stage.is_first ? share.embedding : 0) + (stage.is_last ? share.lm_head : 0),
          stage.moe_layers * share.experts};
}

HeldParameters held_parameters(const Setting& setting, const StageShare& share) {
  // Layers with experts come last, so that every late stage has nothing else.
  const double sparse = share.expert_layers / share.layers;
  const bool only = setting.layout.pipeline_parallel == 1;
  const auto of = [&](double count, bool is_first, bool is_last) {
    return parameters_of(share, {count * (1 - sparse), count * sparse, is_first, is_last});
  };
  return {of(share.dealt.first, true, only), of(share.dealt.inner, only, only),
          of(share.dealt.last, only, true)};
}

}  // namespace commcost
