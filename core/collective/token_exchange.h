#pragma once

#include <cstdint>
#include <string_view>

namespace commcost {

/// What sends tokens to the ranks of their experts, and results back.
enum class ExchangeKernel : std::uint8_t {
  nccl,         ///< an all-to-all: a copy for each expert, sorted by rank; servers gather instead
  low_latency,  ///< a copy for each expert, straight into its rank's memory (DeepEP's low-latency kernels)
  by_rank,      ///< a copy for each rank that has one of its experts (TensorRT-LLM's over NVLink, HybridEP)
  normal,       ///< one for each domain, which links carry on to its ranks (DeepEP's normal kernels)
};
inline constexpr std::string_view exchange_kernel_names[] = {"nccl", "low_latency", "by_rank", "normal"};

/// How tokens find their experts: a token draws some groups of experts and visits experts of these alone, all
/// choices being equally likely. Neighbouring ranks hold the experts of a group.
struct Routing {
  double experts = 1;            ///< of a layer, spread evenly over the ranks
  double experts_per_token = 1;  ///< that a token visits
  double groups = 1;             ///< of experts, all alike
  double routed_groups = 1;      ///< of them, those that a token draws
};

/// Which way tokens go: to their experts, or their results back.
enum class ExchangePhase { dispatch, combine };

/// An exchange by a kernel other than NCCL's: tokens of each rank, bytes of a token, direction.
struct TokenExchange {
  ExchangeKernel kernel = ExchangeKernel::low_latency;
  ExchangePhase phase = ExchangePhase::dispatch;
  double tokens = 0;           ///< of one rank
  double bytes_per_token = 0;  ///< on the wire
  Routing routing;
};

/// Copies of a token that its rank sends, on average, as whole hidden states.
struct TokenCopies {
  double inside = 0;   ///< over links, those that it passes on for other domains among them
  double network = 0;  ///< to other domains
};

/// What a rank sends of each token in one exchange over `ranks` ranks in `domains` scale-up domains.
TokenCopies token_copies(ExchangeKernel kernel, const Routing& routing, double ranks, double domains);

/// The expected number of `places` that a token visits, where `places` share a layer's experts evenly in
/// order.
double places_met(double places, const Routing& routing);

}  // namespace commcost
