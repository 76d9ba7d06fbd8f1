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
  found.add(stage_from(0, share.layers));
  if (stages > 2) {
    Stage inner = stage_from((stages - 2) * share.layers, share.layers);
    inner.is_first = false;
    if (inner.moe_layers != found[0].moe_layers) found.add(inner);
  }
  const double before = (stages - 1) * share.layers;
  Stage last = stage_from(before, std::max(0.0, layers - before));
  last.is_first = false;
  last.is_last = true;
  found.add(last);
  return found;
}

}  // namespace commcost
