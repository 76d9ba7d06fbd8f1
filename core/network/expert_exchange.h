#pragma once

#include "core/network/gpu_group.h"

namespace commcost {

/// Which way tokens go: to their experts, or their results back.
enum class ExchangePhase { dispatch, combine };

/// What sends them.
enum class ExchangeKernel {
  low_latency,  ///< a copy for each expert, straight into its rank's memory (DeepEP's low-latency kernels)
  by_rank,      ///< a copy for each rank that has one of its experts (TensorRT-LLM's over NVLink)
  normal,       ///< the same after counting what goes where, for prompts (DeepEP's normal kernels)
};

/// The constants: `serving_report --fit` over tests/data/moe_dispatch.csv.
struct ExchangeConstants {
  double start_hopper_us = 10.7;     ///< of a dispatch of one token, by generation
  double start_blackwell_us = 16.4;  ///< NVLink 5
  double normal_starts = 3;          ///< of a kernel that counts first
  double combine_starts = 1.2;       ///< of the way back
  double network_starts = 2.1;       ///< of one that leaves the domain
  double link_share = 0.54;          ///< of the link's rate that kernels reach
  double network_share = 0.92;       ///< of the NIC's
};

/// The fitted values.
inline constexpr ExchangeConstants exchange_constants{};

/// What is sent: tokens of each rank, the bytes of one, the experts that it visits.
struct TokenExchange {
  ExchangeKernel kernel = ExchangeKernel::low_latency;
  ExchangePhase phase = ExchangePhase::dispatch;
  double tokens = 0;             ///< of one rank
  double bytes_per_token = 0;    ///< on the wire
  double experts_per_token = 1;  ///< that it visits, on as many ranks where it can
};

/// What a rank sends in an exchange, bytes.
struct ExchangedBytes {
  double inside = 0;   ///< to ranks of its domain
  double network = 0;  ///< to other domains
};
ExchangedBytes exchanged_bytes(const GpuGroup& group, const TokenExchange& exchange);

/// How long an exchange of tokens over the ranks of a group takes, us.
double exchange_us(const GpuGroup& group, const TokenExchange& exchange,
                   const ExchangeConstants& constants = exchange_constants);

}  // namespace commcost
