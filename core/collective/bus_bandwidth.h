#pragma once

#include "core/collective/kind.h"

namespace commcost {

/// Bytes that a rank of `ranks` (>= 1) sends in a bandwidth-optimal ring or chain, in messages times ranks:
/// 2(p-1) for all-reduce, p-1 where each block goes once round, p where the whole message passes.
constexpr double ring_blocks(Collective collective, double ranks) {
  switch (collective) {
    case Collective::all_reduce:
      return 2 * (ranks - 1);
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::gather:
    case Collective::scatter:
    case Collective::all_to_all:
      return ranks - 1;
    case Collective::broadcast:
    case Collective::reduce:
    case Collective::send_receive:
      return ranks > 1 ? ranks : 0;
    case Collective::barrier:
      return 0;
  }
  return 0;
}

/// Bus over algorithm bandwidth as nccl-tests defines it (doc/PERFORMANCE.md): 2(p-1)/p for all-reduce,
/// (p-1)/p for all-gather, reduce-scatter, all-to-all, gather, scatter, 1 for the rest; 0 at one rank.
constexpr double bus_bandwidth_factor(Collective collective, double ranks) {
  return ring_blocks(collective, ranks) / ranks;
}

/// Bytes that each of `ranks` sends by ring for a message of `message_size_bytes`: the bus-bandwidth factor
/// times the message, rounded once. The message is the vector; of all-gather, reduce-scatter, gather and
/// scatter the blocks of all ranks together; of all-to-all and send-receive one rank's buffer.
constexpr double ring_sent_bytes(Collective collective, double ranks, double message_size_bytes) {
  return message_size_bytes * ring_blocks(collective, ranks) / ranks;
}

}  // namespace commcost
