#pragma once

#include "core/model/shape.h"
#include "core/model/work.h"

namespace commcost {

/// What n GPUs send for one layer of a training step, shared by tensor parallelism or by data parallelism.
struct DataOrTensor {
  double tensor_sent_bytes = 0;  ///< by each GPU of one tensor group: all-reduces of activations
  double data_sent_bytes = 0;    ///< by each of n replicas: one all-reduce of the layer's gradients
  double ratio = 0;              ///< of the first to the second; above 1 data parallelism sends less
  double even_tokens = 0;        ///< tokens of a step at which both send the same
  double printed_ratio = 0;      ///< T/(3h): that of a layer of 12 h^2 parameters without recomputation
};

/// For a step of so many tokens, which the n GPUs work on together, of a completed shape and work. Both sides
/// send by ring, so that their ratio does not depend on n: four all-reduces of T h activations (six where the
/// backward pass runs the layer again) against one of the layer's parameters, the mean over all layers.
DataOrTensor data_or_tensor(const ModelShape& shape, const Work& work, double step_tokens, double gpus);

}  // namespace commcost
