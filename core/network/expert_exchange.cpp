#include "core/network/expert_exchange.h"

#include <algorithm>

namespace commcost {
namespace {

// Of `places`, those that one of `draws` even draws meets.
double met(double places, double draws) {
  double missed = 1;
  for (double left = draws; left >= 1; --left) missed *= 1 - 1 / places;
  return places * (1 - missed);
}

}  // namespace

ExchangedBytes exchanged_bytes(const GpuGroup& group, const TokenExchange& exchange) {
  const double ranks = group.num_gpus;
  if (ranks <= 1 || exchange.tokens <= 0) return {};
  const bool each_expert = exchange.kernel == ExchangeKernel::low_latency;
  const double copies = each_expert ? exchange.experts_per_token : met(ranks, exchange.experts_per_token);
  const double bytes = exchange.tokens * exchange.bytes_per_token;
  ExchangedBytes sent{bytes * copies * (group.gpus_in_node - 1) / ranks, 0};
  if (!group.spans_nodes()) return sent;
  // Kernels that know ranks send one copy to each node, from where links carry it on.
  const double to_nodes = each_expert ? copies : met(group.nodes, exchange.experts_per_token);
  sent.network = bytes * to_nodes * (group.nodes - 1) / group.nodes;
  return sent;
}

double exchange_us(const GpuGroup& group, const TokenExchange& exchange, const ExchangeConstants& constants) {
  if (group.num_gpus <= 1 || exchange.tokens <= 0) return 0;
  const bool blackwell = group.fabric->fabric_class == FabricClass::nvlink5;
  double start = blackwell ? constants.start_blackwell_us : constants.start_hopper_us;
  if (exchange.kernel == ExchangeKernel::normal) start *= constants.normal_starts;
  if (exchange.phase == ExchangePhase::combine) start *= constants.combine_starts;
  const ExchangedBytes sent = exchanged_bytes(group, exchange);
  const double inside_us = sent.inside / (group.fabric->link_gb_per_sec * 1e3 * constants.link_share);
  if (!group.spans_nodes()) return start + inside_us;
  const double outside_us = sent.network / (group.nic_gb_per_sec * 1e3 * constants.network_share);
  return start * constants.network_starts + std::max(inside_us, outside_us);
}

}  // namespace commcost
