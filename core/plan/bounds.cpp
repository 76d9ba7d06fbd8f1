#include "core/plan/bounds.h"

#include <algorithm>

namespace commcost {

double least_time_us(const LayerTimes& layers, const EndTimes& ends, const Stage& whole, double stages,
                     const Stage& fewest, double micro_batches) {
  const double mean_us = stage_time(layers, ends, whole).device_us / stages;
  return micro_batches * std::max(mean_us, stage_time(layers, ends, fewest).joint_us);
}

double least_memory(const LayerMemory& layer, const StageState& first, const Stage& fewest, double stages,
                    double micro_batches) {
  const double held = std::min(stages, micro_batches);
  return first.state.total() + first.gathered + fewest.layers() * held * layer.kept +
         std::max(layer.working, stages <= 1 ? layer.logits : 0);
}

}  // namespace commcost
