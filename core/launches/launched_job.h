#pragma once

#include "core/model/catalog.h"
#include "core/parallel/job.h"

namespace commcost {

/// A job that a stack starts, and the published model that its shape is.
struct LaunchedJob {
  Job job;
  const ModelRow* model = nullptr;  ///< null: a shape of one's own
};

/// The published model of a completed shape: the one hinted at where that has it; null: none has.
const ModelRow* model_of_shape(const ModelShape& shape, const ModelRow* hint);

/// GPUs that a launch is over: those that the degrees need.
inline std::int64_t launched_gpus(const LaunchedJob& launched) {
  return gpus_needed(launched.job.layout);
}

/// Nodes that these fill.
std::int64_t launched_nodes(const LaunchedJob& launched);

/// GPUs of each of those nodes.
std::int64_t launched_gpus_per_node(const LaunchedJob& launched);

/// Whether products are of the precision that weights are kept in.
inline bool multiplies_as_kept(const Work& work) {
  return operand_bytes(work.matmul_precision) == 0 ||
         (work.matmul_precision != MatmulPrecision::fp16 &&
          operand_bytes(work.matmul_precision) == static_cast<double>(work.bytes_per_element));
}

}  // namespace commcost
