#pragma once

#include <vector>

#include "core/network/reduce_kernel.h"
#include "core/parallel/ledger.h"
#include "core/serving/serving_parts.h"

namespace commcost {

/// The all-reduce of a layer over the tensor ranks: which kernel runs, and for how long; nothing without
/// tensor parallelism.
struct LayerAllReduce {
  ReducedBy by;
  double message_size_bytes = 0;
  double calls = 0;    ///< of a step
  double time_us = 0;  ///< that the step waits for all of them
};

/// One kind of message of a step: calls on the way through all stages, bytes the mean over these.
struct ServingMessage : PricedMessage {
  ReduceKernel kernel;  ///< that runs it, of an all-reduce
};

/// One step of one batch through all stages; times are those that the step waits for.
struct ServingTime {
  ServingParts parts;
  LayerAllReduce all_reduce;
  std::vector<ServingMessage> messages;
};

/// A completed job's batch as it passes one stage, its tokens sent to experts the way servers do.
Job served_micro_batch(const Job& job);

/// The time of a step of a completed job whose mode is prefill or decode: kernels of the same list and
/// messages as a training step's forward pass, each matrix read once.
ServingTime serving_time(const Job& job);

}  // namespace commcost
