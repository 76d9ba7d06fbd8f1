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
/// over v when interleaved (arXiv:2104.04473), (p-1)(F+B-2W) for ZB1P (DeepSeek DualPipe's table), 0 for ZB2P.
double bubble_us(PipelineSchedule schedule, double stages, double virtual_stages, const StagePass& pass);

/// Micro-batches' worth of a stage's activations that the first stage holds at once: m for gpipe, min(p, m) for
/// 1f1b and ZB1P, times 1 + (p-1)/(p v) when interleaved (arXiv:2205.05198), twice for ZB2P.
double in_flight(PipelineSchedule schedule, double stages, double virtual_stages, double micro_batches);

}  // namespace commcost
