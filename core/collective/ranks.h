#pragma once

namespace commcost {

/// Ranks that call together, and the distance between their numbers, tensor ranks being neighbours.
struct Ranks {
  double size;
  double stride;

  friend bool operator==(const Ranks&, const Ranks&) = default;
};

/// Of a group's ranks, those that lie in one scale-up domain of `gpus_per_domain` where domains are filled in
/// order.
double ranks_in_domain(const Ranks& ranks, double gpus_per_domain);
/// The domains that they all lie in, a fraction where the last is not full.
double domains_of(const Ranks& ranks, double gpus_per_domain);

}  // namespace commcost
