#include "core/collective/token_exchange.h"

#include <algorithm>
#include <cmath>

namespace commcost {
namespace {

// The probability that `draws` different ones out of `items` include none of `own`: C(items - own, draws) /
// C(items, draws).
double missed(double own, double draws, double items) {
  double share = 1;
  for (double drawn = 0; drawn < draws && share > 0; ++drawn)
    share *= std::max(0.0, 1 - own / (items - drawn));
  return share;
}

}  // namespace

// A place holds a part of one group, or `held` of them, of which the token draws j; the probability of j
// follows from that of j - 1 (hypergeometric).
double places_met(double places, const Routing& routing) {
  const auto& [experts, visits, groups, routed] = routing;
  const double held = std::max(1.0, std::round(groups / places));
  const double own = experts / places / held;
  const double open_experts = experts * routed / groups;
  const double others = groups - held;
  double drawn = std::max(0.0, routed - others);
  // At least that many: the token draws none of them, or leaves out none of the others.
  double likely = drawn > 0 ? missed(others, groups - routed, groups) : missed(held, routed, groups);
  double met = 0;
  for (; drawn <= std::min(held, routed); ++drawn) {
    met += likely * (1 - missed(drawn * own, visits, open_experts));
    likely *= (held - drawn) * (routed - drawn) / ((drawn + 1) * (others - routed + drawn + 1));
  }
  return places * met;
}

TokenCopies token_copies(ExchangeKernel kernel, const Routing& routing, double ranks, double domains) {
  if (ranks <= 1) return {};
  const double in_domain = ranks / domains;
  const double elsewhere = (domains - 1) / domains;
  const double visits = routing.experts_per_token;
  if (kernel == ExchangeKernel::nccl || kernel == ExchangeKernel::low_latency)
    return {visits * (in_domain - 1) / ranks, visits * elsewhere};
  return {places_met(ranks, routing) * (in_domain - 1) / in_domain, places_met(domains, routing) * elsewhere};
}

}  // namespace commcost
