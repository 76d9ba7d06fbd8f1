#pragma once

#include <cstdint>

#include "core/base/outcome.h"

namespace commcost {

/// The exercise's inputs: one forward pass of a transformer whose layers are split over `num_gpus`.
struct TensorParallelInputs {
  std::int64_t hidden_size = 0;           ///< width of the residual stream, elements, 1 to 2^53 - 1
  std::int64_t sequence_length = 0;       ///< tokens a sequence, 1 to 2^53 - 1
  std::int64_t batch_size = 0;            ///< micro-batch, sequences, 1 to 2^53 - 1
  std::int64_t num_gpus = 0;              ///< tensor-parallel group, 1 to 2^20
  std::int64_t num_layers = 0;            ///< transformer layers, 1 to 2^20
  std::int64_t bytes_per_element = 2;     ///< of an activation, 1 to 1024
  double bandwidth_gb_per_sec = 300.0;    ///< one way, per GPU, 1e-6 to 1e9 GB/s
  std::int64_t allreduces_per_layer = 2;  ///< in a forward pass, 1 to 2^20
};

/// The exercise's four results.
struct TensorParallelCost {
  double message_size_bytes = 0;               ///< the activation tensor, exact
  double comm_volume_per_allreduce_bytes = 0;  ///< sent by each GPU in one ring all-reduce, four decimals
  double total_comm_volume_bytes = 0;          ///< sent by each GPU in a forward pass, four decimals
  double total_comm_time_ms = 0;               ///< that volume over the bandwidth, four decimals
};

/// Ring all-reduce cost of a forward pass: 2(n-1)/n of the message each time (Patarasuk & Yuan, JPDC 69(2),
/// 2009). Each result is the exact rational value, rounded once to a double, then to four decimals. A message
/// beyond 2^53 - 1 bytes is a problem; inputs within their ranges are otherwise always answered.
Outcome<TensorParallelCost> tensor_parallel_allreduce_cost(const TensorParallelInputs& inputs);

}  // namespace commcost
