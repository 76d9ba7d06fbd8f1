#pragma once

#include "core/collective/kind.h"
#include "core/step/machine.h"

namespace commcost {

/// A group of ranks as it lies on the machine.
struct RankGroup {
  double ranks = 1;           ///< members
  double ranks_per_node = 1;  ///< of them in one node

  bool crosses_nodes() const { return ranks > ranks_per_node; }
};

/// The group of `ranks` ranks that are `stride` numbers apart, on nodes of `gpus_per_node`.
RankGroup rank_group(double ranks, double stride, double gpus_per_node);

/// What collectives cost on one machine: core/network's prediction, with the machine's factors.
class Pricing {
 public:
  Pricing(const Machine& machine, const MachineScales& scales) : machine_(machine), scales_(scales) {}

  /// Time of `collective` over `group`, us; `bytes` is the whole vector, as nccl-tests' size.
  double us(Collective collective, const RankGroup& group, double bytes) const;

 private:
  Machine machine_;
  MachineScales scales_;
};

}  // namespace commcost
