#pragma once

#include "core/network/predict.h"
#include "core/parallel/call.h"
#include "core/step/machine.h"

namespace commcost {

/// A group of ranks as it lies on the machine.
struct RankGroup {
  double ranks = 1;           ///< members
  double ranks_per_node = 1;  ///< of them in one node

  bool crosses_nodes() const { return ranks > ranks_per_node; }
};

/// A group of the ledger, placed on nodes of `gpus_per_node`: ranks fill nodes in order.
RankGroup place(const StridedGroup& group, const Machine& machine);

/// GPUs that a machine's scale-up links join: a node, or the rack where that is one domain.
double scale_up_domain(const Machine& machine);

/// What collectives cost on one machine: core/network's prediction, with the machine's factors.
class Pricing {
 public:
  Pricing(const Machine& machine, const MachineScales& scales);

  /// Time of `collective` over `group`, us; `bytes` is the whole vector, as nccl-tests' size.
  double us(Collective collective, const RankGroup& group, double bytes) const;

 private:
  Fabric fabric_;     ///< of the machine
  GpuGroup machine_;  ///< what every group of the machine has in common, but for the fabric
  MachineScales scales_;
};

}  // namespace commcost
