#include "core/network/expert_exchange.h"

#include <algorithm>

namespace commcost {

double exchange_us(const GpuGroup& group, const TokenExchange& exchange, const ExchangeConstants& constants) {
  if (group.num_gpus <= 1 || exchange.tokens <= 0) return 0;
  const bool blackwell = group.fabric->fabric_class == FabricClass::nvlink5;
  double start = blackwell ? constants.start_blackwell_us : constants.start_hopper_us;
  if (exchange.kernel == ExchangeKernel::normal) start *= constants.normal_starts;
  if (exchange.phase == ExchangePhase::combine) start *= constants.combine_starts;
  const TokenCopies copies = token_copies(exchange.kernel, exchange.routing, group.num_gpus, group.nodes);
  const double bytes = exchange.tokens * exchange.bytes_per_token;
  const double inside_us =
      bytes * copies.inside / (group.fabric->link_gb_per_sec * 1e3 * constants.link_share);
  if (!group.spans_nodes()) return start + inside_us;
  const double outside_us = bytes * copies.network / (group.nic_gb_per_sec * 1e3 * constants.network_share);
  return start * constants.network_starts + std::max(inside_us, outside_us);
}

}  // namespace commcost
