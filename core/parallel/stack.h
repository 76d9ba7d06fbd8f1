#pragma once

#include "core/collective/reduce_kernel.h"

namespace commcost {

/// How fast a serving stack drives its GPUs, beyond what every stack says of itself. As set here: what all
/// measured stacks together ask for (`validation serving --fit`).
struct ServingPace {
  double memory_efficiency_percent = 80;  ///< of the rate that streaming kernels reach, what products with
                                          ///< few rows and attention over the cache do
  double kernel_start_us = 6;             ///< of each kernel on the GPU, which waits for the one before
  double sequence_host_us =
      0;  ///< host time of a step for each sequence, beside which the GPU has nothing to do
  double allreduce_start_us =
      8;  ///< of a sum that compute waits for, beyond what its kernel takes when it runs alone
  ReduceKernel allreduce_kernel = ReduceKernel::best;  ///< what sums a layer's results
};

/// How fast a training or serving stack drives its GPUs, whichever they are: what a recipe fills.
struct Stack {
  double compute_efficiency_percent = 90;    ///< of the rate that a GPU's large products reach alone
  double attention_efficiency_percent = 60;  ///< of that rate, what the fused attention core reaches
  double expert_efficiency_percent = 75;     ///< of the rate of the stack's other products, what those of
                                             ///< routed experts reach: uneven groups, tokens put in order
  double host_us_per_kernel = 8;             ///< host time to launch a kernel
  bool cuda_graphs = false;                  ///< whether layers are replayed, at no host time
  double collective_start_us = 20;  ///< of a collective that compute waits for, what benchmarks do not show
  double pipeline_sync_us = 100;    ///< host and device wait for each other at a stage boundary, each way
  double staged_layer_host_us = 0;  ///< host time of a layer's micro-batch where there are several stages,
                                    ///< for each tensor rank
  double straggler_percent = 2;     ///< spread of the replicas' times: one standard deviation
  double overlap_percent = 100;     ///< communication that compute hides, of what it is taken to hide
  double time_scale = 1;            ///< factor on every time of a step, by the runs of whoever trains
  double held_bytes_per_logit = 8;  ///< logits, their fp32 copy, exponential and gradient
  ServingPace serving = {};         ///< of a step that answers
  int recipe = -1;                  ///< place in all_recipes() of the one that filled this; -1: none
};

}  // namespace commcost
