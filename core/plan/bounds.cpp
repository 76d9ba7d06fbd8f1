#include "core/plan/bounds.h"

#include <algorithm>

#include "core/step/hiding.h"

namespace commcost {

double least_time_us(const LayerTime& layer, const HeadTime& head, double layers, double stages,
                     const StageLayers& fewest, double micro_batches) {
  const double head_us = head.compute_us + head.tensor_us;
  const double mean_us = (layers * layer.device_us() + head_us) / stages;
  const bool only = stages <= 1;
  const double fullest_us = joint_us(fewest.first * layer.device_us() + (only ? head_us : 0),
                                     fewest.first * layer.launch_us + (only ? head.launch_us : 0));
  return micro_batches * std::max(mean_us, fullest_us);
}

double least_memory(const LayerMemory& layer, const StageState& state, const StageLayers& fewest,
                    double stages, double micro_batches) {
  const double held = std::min(stages, micro_batches);
  return state.first.total() + state.gathered + layer.working + fewest.first * held * layer.kept +
         (stages <= 1 ? layer.logits : 0);
}

}  // namespace commcost
