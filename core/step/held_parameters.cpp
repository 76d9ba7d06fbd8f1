#include "core/step/held_parameters.h"

namespace commcost {

StageParameters parameters_of(const StageShare& share, const Stage& stage) {
  return {stage.copies * (stage.dense_layers * share.layer + stage.moe_layers * share.expert_layer) +
              (stage.is_first ? share.embedding : 0) + (stage.is_last ? share.lm_head : 0),
          stage.copies * stage.moe_layers * share.experts};
}

HeldParameters held_parameters(const Setting& setting, const StageShare& share) {
  // Layers with experts come last, so that every late stage has nothing else.
  const double sparse = share.expert_layers / share.layers;
  const Layout& layout = setting.layout;
  const bool only = layout.pipeline_parallel == 1;
  const bool meet = only || ends_meet(layout);
  const auto copies = static_cast<double>(held_copies(layout));
  const auto of = [&](double count, bool is_first, bool is_last) {
    return parameters_of(share, {count * (1 - sparse), count * sparse, is_first, is_last, false, copies});
  };
  // Both ends are on the first stage where they meet; in DualPipe on the last too.
  return {of(share.dealt.first, true, meet), of(share.dealt.inner, only, only),
          of(share.dealt.last, only || copies > 1, !meet || only || copies > 1)};
}

}  // namespace commcost
