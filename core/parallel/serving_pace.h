#pragma once

#include "core/collective/reduce_kernel.h"

namespace commcost {

/// How fast a serving stack drives its GPUs, whichever they are, beyond what Pace says: what a recipe fills.
/// As set here: what all measured stacks together ask for (`validation serving --fit`).
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

}  // namespace commcost
