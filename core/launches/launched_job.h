#pragma once

#include <algorithm>
#include <cstdint>

#include "core/model/catalog.h"
#include "core/parallel/job.h"

namespace commcost {

/// A job that a stack starts, and the published model that has its shape.
struct LaunchedJob {
  Job job;
  const ModelRow* model = nullptr;  ///< null: a custom shape
  // Of a server.
  std::int64_t step_tokens = 8192;  ///< most of a step: a token for each sequence, and chunks of prompts
  bool chunked_prefill = true;      ///< whether prompts are read in chunks, between the tokens of others
  double memory_share = 0;          ///< as the stack's own option counts it; 0: as much as the batch needs
};

/// The published model of a completed shape: the one hinted at if it has that shape; null: none has.
const ModelRow* model_of_shape(const ModelShape& shape, const ModelRow* hint);

/// GPUs that a launch uses: those that the degrees need.
inline std::int64_t launched_gpus(const LaunchedJob& launched) {
  return gpus_needed(launched.job.layout);
}

/// GPUs of each node that takes part: all, or as many as the nodes can have equally.
std::int64_t launched_gpus_per_node(const LaunchedJob& launched);

/// Nodes that take part.
std::int64_t launched_nodes(const LaunchedJob& launched);

/// Groups of tensor ranks of one server: those that share experts. Of a model without experts one launch
/// starts every copy.
inline std::int64_t groups_of_server(const LaunchedJob& launched) {
  const auto& [model, work, layout, stack, machine] = launched.job;
  return has_experts(model) ? std::min(groups_of_experts(layout), layout.data_parallel)
                            : layout.data_parallel;
}

/// Whether products have the precision that weights are kept in.
inline bool multiplies_as_kept(const Work& work) {
  return operand_bytes(work.matmul_precision) == 0 ||
         (work.matmul_precision != MatmulPrecision::fp16 &&
          operand_bytes(work.matmul_precision) == static_cast<double>(work.bytes_per_element));
}

}  // namespace commcost
