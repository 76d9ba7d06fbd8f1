#pragma once

#include <vector>

#include "core/training/pipeline_order.h"
#include "core/training/step_time.h"

namespace commcost {

/// A bar of a pipeline's timeline, us from the start of the step. Waiting at a stage boundary is part of its
/// pass; time without a bar is bubble.
struct PipelineBar {
  double stage = 0;  ///< from 0
  double chunk = 0;  ///< of its layers; in DualPipe the direction: 0 from the first stage on, 1 from the last
  double micro_batch = 0;
  StageWork work = StageWork::forward;
  double start_us = 0;
  double duration_us = 0;
};

/// A step's passes in their order, executed: each starts when its stage is free and its inputs have arrived.
struct PipelineTimeline {
  std::vector<PipelineBar> bars;  ///< stage by stage, in order
  double length_us = 0;           ///< until the last pass ends
};

/// The most bars that are drawn.
inline constexpr double most_pipeline_bars = 100000;

/// How many bars the timeline has.
double pipeline_bars(const PipelinePlan& plan);

/// The timeline of a training step whose stage `deciding` takes longest: all stages at the pace of the
/// typical one, and if ends do not meet on one stage, the last at that of the deciding one. In it a stage
/// idles for the step's bubble: from its first pass to its last the busiest stage takes its micro-batches'
/// passes, boundaries, and the bubble, unless that stage decides only by what it exchanges with replicas.
PipelineTimeline pipeline_timeline(const StepTimes& times, std::size_t deciding);

}  // namespace commcost
