#pragma once

#include <vector>

#include "core/model/kernels.h"
#include "core/network/reduce_kernel.h"
#include "core/parallel/communication.h"
#include "core/parallel/serving_pace.h"
#include "core/step/machine.h"
#include "core/step/serving_parts.h"

namespace commcost {

/// What a serving step adds to a setting: how wide what is kept is, and the stack's pace.
struct Serving {
  double weight_bytes_per_element = 0;  ///< of the layers' matrices; 0: bytes_per_element
  double kv_bytes_per_element = 0;      ///< of cached keys and values; 0: bytes_per_element
  ServingPace pace;
};

/// A setting to serve, on a machine, both completed; mode prefill or decode.
struct PlacedServing {
  Setting setting;
  Serving serving;
  Machine machine;
};

/// Bytes of a weight of the layers, and of a cached element.
double weight_bytes(const PlacedServing& placed);
double kv_bytes(const PlacedServing& placed);

/// The all-reduce of a layer over the tensor ranks: what runs, and how long; nothing without tensor
/// parallelism.
struct LayerAllReduce {
  ReducedBy by;
  double message_size_bytes = 0;
  double calls = 0;  ///< of a step
};

/// One kind of message of a step: what it carries, what runs it, how long all its calls take.
struct ServingMessage {
  Dimension dimension;
  StepPhase phase;
  Part part;
  Payload payload;
  Collective collective;
  double group_size;
  ReduceKernel kernel = ReduceKernel::nccl;  ///< of an all-reduce
  double message_size_bytes = 0;             ///< as nccl-tests counts it
  double calls = 0;                          ///< on the way through all stages
  double sent_bytes_per_gpu = 0;             ///< in all calls, the mean over the stages
  double network_bytes_per_gpu = 0;          ///< of those, to other scale-up domains
  double time_us = 0;                        ///< of all calls; nothing hides them
};

/// What a GPU computes in one layer of a step, and at the end of the model.
Kernels layer_kernels(const PlacedServing& placed, LayerKind kind);
Kernels head_kernels(const PlacedServing& placed);

/// One step of one batch through all stages.
struct ServingTime {
  ServingParts parts;
  LayerAllReduce all_reduce;
  std::vector<ServingMessage> messages;
};

/// The time of a step: kernels of the same list and messages as a training step's forward pass, each matrix
/// read once.
ServingTime serving_time(const PlacedServing& placed);

}  // namespace commcost
