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
    case PipelineSchedule::dualpipe:
      bubble.of_ideal = std::max(0.0, waits - 1 / micro_batches) / 3;
      break;
    case PipelineSchedule::dualpipe_v:
      bubble.of_ideal = waits / 3;
      break;
  }
  bubble.of_total = bubble.of_ideal / (1 + bubble.of_ideal);
  return bubble;
}

InFlight micro_batches_in_flight(const Layout& layout, double micro_batches) {
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
    case PipelineSchedule::dualpipe:
      held = stages + 1;
      break;
    case PipelineSchedule::dualpipe_v:
      held = stages + 0.5;
      break;
  }
  held = std::min(held, micro_batches);
  if (ends_meet(layout)) return {held, held, held};
  return {held, std::max(1.0, held - 1), std::max(1.0, held - stages + 1)};
}

}  // namespace commcost
