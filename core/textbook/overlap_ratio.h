#pragma once

#include <cstdint>
#include <string_view>

#include "core/parallel/stage_share.h"

namespace commcost {

/// Which communication is compared with the compute that may hide it (Ultra-Scale Playbook, appendix A3).
enum class OverlapScheme {
  data_parallel,           ///< all-reduce of gradients behind the backward pass (A3.1)
  zero_3,                  ///< all-gather of a layer's weights behind the forward pass of one (A3.2)
  tensor_parallel,         ///< all-gather of activations behind the next matrix (A3.3)
  tensor_parallel_region,  ///< the same behind the whole MLP (the Playbook's cheat-sheet)
  pipeline_parallel,       ///< activations sent to the next stage behind this stage's layers (A3.4)
};
inline constexpr std::string_view overlap_scheme_names[] = {"data_parallel", "zero_3", "tensor_parallel",
                                                            "tensor_parallel_region", "pipeline_parallel"};

/// The rates that decide: those of a matrix product and of a link.
struct OverlapRates {
  double peak_tflops = 0;           ///< dense, of a GPU
  double bandwidth_gb_per_sec = 0;  ///< one way, per GPU, as bus bandwidth
};

/// Communication compared with the compute that may hide it.
struct Overlap {
  double message_size_bytes = 0;  ///< of the largest collective
  double messages = 1;            ///< collectives; gradients go in buckets, experts apart
  double sent_bytes_per_gpu = 0;  ///< of all
  double compute_flops = 0;       ///< per GPU
  double communication_us = 0;    ///< bytes sent over the bandwidth
  double compute_us = 0;          ///< FLOPs over the peak
  double ratio = 0;               ///< communication over compute; 0 where nothing is sent
  bool hidden = true;             ///< whether the ratio is at most 1
  double exposed_us = 0;          ///< communication that compute does not cover
  double last_message_us = 0;     ///< of the last of several, which nothing can hide; 0: a single message
  double hiding_gb_per_sec = 0;   ///< bandwidth at which the ratio is 1
  double printed_ratio = 0;       ///< as A3 prints it: elements over the bandwidth, stray factors kept
  double cheat_sheet_ratio = 0;   ///< as the Playbook's cheat-sheet prints it
  /// Gradients of the whole model, norms, embedding and LM head among them, as a ledger counts; of other
  /// schemes sent_bytes_per_gpu.
  double model_sent_bytes_per_gpu = 0;
  double model_ratio = 0;  ///< of these, the LM head's products among the compute; of other schemes ratio
};

/// The ratio for a completed job, from the messages of core/parallel/communications; `next_linear_size`
/// is the output width of the next matrix (0: hidden_size). Attention's scores are left out, as A3 does.
/// Rulings: bytes, not elements; no num_params left over in A3.1; the 1/DP missing in the cheat-sheet's
/// ZeRO-3 is restored.
Overlap overlap_of(OverlapScheme scheme, const Job& job, const OverlapRates& rates,
                   std::int64_t next_linear_size);

}  // namespace commcost
