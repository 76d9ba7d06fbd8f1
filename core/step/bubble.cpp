#include "core/step/bubble.h"

#include <algorithm>

namespace commcost {

double bubble_us(PipelineSchedule schedule, double stages, double virtual_stages, double micro_batches,
                 const StagePass& pass) {
  const double whole = (stages - 1) * (pass.forward + pass.backward);
  // DeepSeek's F&B + B - 3W: a forward and a backward pass side by side take as long as in turn.
  const double side_by_side = pass.forward + 2 * pass.backward - 3 * pass.weight_gradient;
  switch (schedule) {
    case PipelineSchedule::interleaved:
      return whole / virtual_stages;
    case PipelineSchedule::zero_bubble:
      return std::max(0.0, whole - std::min(2 * (stages - 1), micro_batches) * pass.weight_gradient);
    case PipelineSchedule::zero_bubble_2p:
      return 0;
    case PipelineSchedule::dualpipe:
      return std::max(0.0, (stages / 2 - 1) * side_by_side);
    case PipelineSchedule::dualpipe_v:
      return std::max(0.0, (stages - 1) * side_by_side / 2);
    default:
      return whole;
  }
}

}  // namespace commcost
