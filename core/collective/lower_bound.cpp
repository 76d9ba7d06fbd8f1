#include "core/collective/lower_bound.h"

#include <algorithm>

namespace commcost {
namespace {

// Chunks, each a p-th of the message, that some rank must send or get.
double blocks_moved(Collective collective, double ranks, bool in_network) {
  switch (collective) {
    case Collective::all_reduce:
      return in_network ? ranks : 2 * (ranks - 1);
    case Collective::broadcast:
    case Collective::reduce:
    case Collective::send_receive:
      return ranks;
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::gather:
    case Collective::scatter:
    case Collective::all_to_all:
      return ranks - 1;
    case Collective::barrier:
      return 0;
  }
  return 0;
}

// Rounds until a word from one rank can have reached all, if each may tell `ports` others in a round.
int rounds_to_reach_all(int ranks, int ports) {
  int rounds = 0;
  for (long long reached = 1; reached < ranks; reached *= ports + 1) ++rounds;
  return rounds;
}

}  // namespace

Counts lower_bound(const Method& method, int ranks) {
  if (ranks == 1) return {};
  const bool in_network = method.algorithm == Algorithm::in_network;
  const bool shift = method.collective == Collective::send_receive;
  const double rounds = in_network                   ? 2
                        : method.ports == 0 || shift ? 1
                                                     : rounds_to_reach_all(ranks, method.ports);
  const double others = ranks - 1;
  Counts bound = {.parts = static_cast<double>(ranks)};
  bound.sent = blocks_moved(method.collective, ranks, in_network);
  bound.reduced = reduces(method.collective) && !in_network ? others : 0;
  bound.path = {rounds, bound.sent, bound.reduced};
  return bound;
}

double lower_bound_us(const Method& method, int ranks, double message_size_bytes,
                      const HockneyMachine& machine) {
  HockneyMachine quickest = machine;
  if (method.grouped) {
    quickest.link = {std::min(machine.link.latency_us, machine.inside.latency_us),
                     std::max(machine.link.bandwidth_gb_per_sec, machine.inside.bandwidth_gb_per_sec)};
  }
  return hockney(lower_bound(method, ranks), message_size_bytes, quickest).total_us();
}

}  // namespace commcost
