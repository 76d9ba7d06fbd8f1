#include "core/step/pricing.h"

#include <algorithm>
#include <cmath>

namespace commcost {
namespace {
// PROTOTYPE until core/network
double proto(Collective c, double n, double r, double nic, double S, const Accelerator& acc) {
  double f = (c == Collective::all_reduce ? 2.0 : 1.0) * (n - 1) / n;
  if (c == Collective::send_receive) f = 1;
  double A, B; const double k = 0.62;
  if (n <= r) {
    if (acc.id.starts_with("a100")) { B = 235e3 * (n == 2 ? .86 : n <= 5 ? .95 : 1); A = 25 + 3.2 * n; }
    else if (acc.id.starts_with("v100")) { B = 134e3; A = 25 + 5 * n; }
    else { B = (c == Collective::all_reduce && n == 8 ? 480e3 : 365e3) * (n == 2 ? .92 : 1); A = 22 + .8 * n; }
    if (c != Collective::all_reduce) A *= .8;
    if (c == Collective::send_receive) { A = 15; B = 200e3; }
  } else {
    B = nic * r * .8 * 1e3; A = 60 + 12 * n / r;
    if (c == Collective::send_receive) { A = 30; B = nic * .8 * 1e3; }
  }
  return std::pow(std::pow(A, k) + std::pow(S * f / B, k), 1 / k);
}
}  // namespace

RankGroup rank_group(double ranks, double stride, double gpus_per_node) {
  const double within = std::max(1.0, std::floor(gpus_per_node / stride));
  return {ranks, std::min(ranks, within)};
}

double Pricing::us(Collective collective, const RankGroup& group, double bytes) const {
  if (group.ranks <= 1 || bytes <= 0) return 0;
  // Latency does not depend on the size, so that a bandwidth f times as great takes as long as a message 1/f the
  // size, and latencies g times as great take g times as long as a message 1/g the size.
  const double bandwidth = group.crosses_nodes() ? scales_.network : scales_.link;
  const double scaled = bytes / (bandwidth * scales_.latency);
  return scales_.latency * proto(collective, group.ranks, group.ranks_per_node, machine_.nic_gb_per_sec, scaled, accelerator_of(machine_));
}

}  // namespace commcost
