#pragma once

#include <vector>

#include "core/step/pipeline_order.h"
#include "core/step/step_time.h"

namespace commcost {

/// A bar of a pipeline's timeline, us from the start of the step. What waits for a stage boundary is part of
/// its pass; what no bar covers is bubble.
struct PipelineBar {
  double stage = 0;  ///< from 0
  double chunk = 0;  ///< of its layers; in DualPipe the way: 0 from the first stage on, 1 from the last
  double micro_batch = 0;
  StageWork work = StageWork::forward;
  double start_us = 0;
  double duration_us = 0;
};

/// A step's passes in their order, executed: each starts when its stage is free and what it needs has come.
struct PipelineTimeline {
  std::vector<PipelineBar> bars;  ///< stage by stage, in order
  double length_us = 0;           ///< until the last pass ends
};

/// Most bars that are drawn.
inline constexpr double most_pipeline_bars = 100000;

/// How many bars the timeline has.
double pipeline_bars(const PipelinePlan& plan);

/// The timeline of a training step whose stage `deciding` takes longest: all stages at the pace of the
/// typical one, the last at that of the deciding one, as the step is priced. For 1F1B, interleaving and GPipe
/// it is as long as passes, boundaries and bubble of the step together, unless that stage decides by what it
/// exchanges with replicas alone. For ZB1P, DualPipe and DualPipe-V it is what their order takes; the
/// formulas that price them hold where forward pass, input gradient and weight gradient take equal time.
PipelineTimeline pipeline_timeline(const StepTimes& times, std::size_t deciding);

}  // namespace commcost
