#include "core/parallel/pipeline.h"

#include <algorithm>

namespace commcost {

Bubble bubble_of(const Layout& layout, double micro_batches) {
  const double waits = static_cast<double>(layout.pipeline_parallel - 1) / micro_batches;
  Bubble bubble;
  switch (layout.pipeline_schedule) {
    case PipelineSchedule::one_f_one_b:
    case PipelineSchedule::gpipe:
      bubble.of_ideal = waits;
      break;
    case PipelineSchedule::interleaved:
      bubble.of_ideal = waits / static_cast<double>(layout.virtual_stages);
      break;
    case PipelineSchedule::zero_bubble:
      bubble.of_ideal = waits / 3;
      break;
    case PipelineSchedule::zero_bubble_2p:
      break;
  }
  bubble.of_total = bubble.of_ideal / (1 + bubble.of_ideal);
  return bubble;
}

double micro_batches_in_flight(const Layout& layout, double micro_batches) {
  const auto stages = static_cast<double>(layout.pipeline_parallel);
  double held = stages;
  switch (layout.pipeline_schedule) {
    case PipelineSchedule::one_f_one_b:
    case PipelineSchedule::zero_bubble:
      break;
    case PipelineSchedule::interleaved:
      held = stages + (stages - 1) / static_cast<double>(layout.virtual_stages);
      break;
    case PipelineSchedule::gpipe:
      held = micro_batches;
      break;
    case PipelineSchedule::zero_bubble_2p:
      held = 2 * stages - 1;
      break;
  }
  return std::min(held, micro_batches);
}

}  // namespace commcost
