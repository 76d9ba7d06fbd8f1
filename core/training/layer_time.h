#pragma once

#include "core/compute/kernel_pricer.h"
#include "core/parallel/communications.h"
#include "core/training/step_model.h"

namespace commcost {

/// One micro-batch in one layer, on one of the ranks that share it, us.
struct LayerTime {
  double forward_us = 0;          ///< compute of the forward pass
  double backward_us = 0;         ///< compute of the backward pass, weight gradients included
  double weight_gradient_us = 0;  ///< weight gradients alone
  double recompute_us = 0;        ///< compute done again in the backward pass
  CommunicationTime tensor;       ///< over ranks that share the matrices
  CommunicationTime context;      ///< over ranks that share the sequence
  CommunicationTime expert;       ///< to the experts and back
  double launch_us = 0;           ///< host time to launch it all
  double copy_us = 0;             ///< copying what it keeps to host memory, if layers are offloaded

  double compute_us() const { return forward_us + backward_us + recompute_us; }
  double exposed_us() const { return tensor.exposed_us() + context.exposed_us() + expert.exposed_us(); }
  /// Compute of either pass during which none of its messages is sent.
  double free_forward_us() const {
    return forward_us - tensor.hidden_forward_us - context.hidden_forward_us - expert.hidden_forward_us;
  }
  double free_backward_us() const {
    return backward_us + recompute_us - tensor.hidden_backward_us() - context.hidden_backward_us() -
           expert.hidden_backward_us();
  }
  /// Time of a stage on the device.
  double device_us() const { return compute_us() + exposed_us(); }
};

/// A layer of either kind; all zero where the model has none.
struct LayerTimes {
  LayerTime dense;
  LayerTime moe;
  LayerTime whole_dense;  ///< one that full recomputation leaves alone, if there may be any
  LayerTime whole_moe;    ///< the same with experts
  bool apart = false;     ///< whether there may be such layers
};

/// One end of the pipeline in one micro-batch, us.
struct EndTime {
  double compute_us = 0;
  double launch_us = 0;
  CommunicationTime tensor;
};

/// Embedding on the first stage, LM head and loss on the last.
struct EndTimes {
  EndTime first;
  EndTime last;
};

/// Kernel time of one micro-batch in a layer of either kind; all zero if the model has none.
struct LayerCompute {
  ComputeTime dense;
  ComputeTime moe;
};
LayerCompute layer_compute(const StepModel& step);

/// The same at the ends of the model.
struct EndCompute {
  ComputeTime embedding;
  ComputeTime head;
};
EndCompute end_compute(const StepModel& step);

/// Times for a completed job, whose kernels take `compute` however much is hidden, and which sends these
/// `messages`. Depend on the layout only by tensor, sequence, context and expert parallelism and what
/// overlaps with them, so a search computes them once for many layouts.
LayerTimes layer_times(const StepModel& step, const LayerCompute& compute, const Communications& messages);
EndTimes end_times(const StepModel& step, const EndCompute& compute, const Communications& messages);
/// The same from the job alone.
LayerTimes layer_times(const StepModel& step);
EndTimes end_times(const StepModel& step);

}  // namespace commcost
