#include "core/step/bubble.h"

#include <algorithm>

namespace commcost {

double bubble_us(PipelineSchedule schedule, double stages, double virtual_stages, double micro_batches,
                 const StagePass& pass) {
  const double whole = (stages - 1) * (pass.forward + pass.backward);
  switch (schedule) {
    case PipelineSchedule::interleaved:
      return whole / virtual_stages;
    case PipelineSchedule::zero_bubble:
      return std::max(0.0, whole - std::min(2 * (stages - 1), micro_batches) * pass.weight_gradient);
    case PipelineSchedule::zero_bubble_2p:
      return 0;
    default:
      return whole;
  }
}

}  // namespace commcost
