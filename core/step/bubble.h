#pragma once

#include "core/parallel/layout.h"

namespace commcost {

/// One stage's work on one micro-batch, us.
struct StagePass {
  double forward = 0;
  double backward = 0;         ///< with recomputation and weight gradients
  double weight_gradient = 0;  ///< part of backward
};

/// Time that a stage idles in a step while the pipeline fills and drains, us: (p-1)(F+B) for gpipe and 1f1b,
/// over v when interleaved (arXiv:2104.04473), (p-1)(F+B-2W) for ZB1P, (p/2-1)(F&B+B-3W) for DualPipe, and
/// for DualPipe-V with the passes of its half as large chunks (p-1)(F&B+B-3W) (deepseek-ai/DualPipe, table),
/// where F&B = F+B; 0 for ZB2P. No more weight gradients fill a stage than its micro-batches have.
double bubble_us(PipelineSchedule schedule, double stages, double virtual_stages, double micro_batches,
                 const StagePass& pass);

}  // namespace commcost
