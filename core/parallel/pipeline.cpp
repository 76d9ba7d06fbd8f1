#include "core/parallel/pipeline.h"

#include <algorithm>

namespace commcost {

namespace {

// Of an order with `hops` from the end of the pipeline to its middle, which a pass takes in one chunk.
double dual_bubble(double hops, const StagePass& pass) {
  const auto& [forward, input_gradient, weight_gradient] = pass;
  return std::max(hops * (2 * forward + input_gradient - weight_gradient),
                  hops * (forward + 2 * input_gradient - weight_gradient) - forward);
}

}  // namespace

double weight_gradients_off_path(PipelineSchedule schedule, double stages, double micro_batches) {
  const double others = stages - 1;
  // Weight gradients of the first micro-batch end the step.
  if (schedule == PipelineSchedule::zero_bubble) return 1 + std::min(others, micro_batches - 1);
  if (schedule == PipelineSchedule::zero_bubble_2p) return 1 + std::min(2 * others, micro_batches - 1);
  return 0;
}

double bubble_of(PipelineSchedule schedule, double stages, double chunks, double micro_batches,
                 const StagePass& pass) {
  const double others = stages - 1;
  if (others <= 0) return 0;
  const auto& [forward, input_gradient, weight_gradient] = pass;
  const double whole = others * (forward + input_gradient + weight_gradient);
  switch (schedule) {
    case PipelineSchedule::one_f_one_b:
    case PipelineSchedule::gpipe:
      return whole;
    case PipelineSchedule::interleaved:
      return whole / chunks;
    case PipelineSchedule::zero_bubble:
    case PipelineSchedule::zero_bubble_2p:
      return others * (forward + input_gradient) -
             (weight_gradients_off_path(schedule, stages, micro_batches) - 1) * weight_gradient;
    case PipelineSchedule::dualpipe:
      return dual_bubble(stages / 2 - 1, pass);
    case PipelineSchedule::dualpipe_v:
      return dual_bubble(others, {forward / 2, input_gradient / 2, weight_gradient / 2});
  }
  return whole;
}

TextbookBubble textbook_bubble(const Layout& layout, double micro_batches) {
  const double idle = bubble_of(layout.pipeline_schedule, static_cast<double>(layout.pipeline_parallel),
                                static_cast<double>(layout.virtual_stages), micro_batches, {1, 1, 1});
  const double of_ideal = idle / (3 * micro_batches);
  return {of_ideal, of_ideal / (1 + of_ideal)};
}

InFlight micro_batches_in_flight(const Layout& layout, double micro_batches) {
  // One stage works through them in turn, whatever its schedule.
  if (layout.pipeline_parallel == 1) return {1, 1, 1};
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
