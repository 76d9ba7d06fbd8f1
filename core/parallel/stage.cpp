#include "core/parallel/stage.h"

#include <algorithm>

namespace commcost {

DistinctStages distinct_stages(const Setting& setting, const StageShare& share) {
  const auto layers = static_cast<double>(setting.shape.num_layers);
  const auto dense = layers - static_cast<double>(expert_layers(setting.shape));
  const auto stages = static_cast<double>(setting.layout.pipeline_parallel);
  const auto stage_from = [&](double from, double count) {
    const double plain = has_experts(setting.shape) ? std::clamp(dense - from, 0.0, count) : count;
    return Stage{plain, std::min(count - plain, layers - dense), from == 0, false};
  };
  DistinctStages found;
  if (stages == 1) {
    found.add({dense, layers - dense, true, true});
    return found;
  }
  const StageLayers& dealt = share.dealt;
  found.add(stage_from(0, dealt.first));
  if (stages > 2) {
    Stage inner = stage_from(dealt.first + (stages - 3) * dealt.inner, dealt.inner);
    inner.is_first = false;
    if (inner.moe_layers != found[0].moe_layers || inner.layers() != found[0].layers()) found.add(inner);
  }
  Stage last = stage_from(dealt.first + (stages - 2) * dealt.inner, dealt.last);
  last.is_first = false;
  last.is_last = true;
  found.add(last);
  return found;
}

}  // namespace commcost
