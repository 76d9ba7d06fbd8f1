#pragma once

#include <vector>

#include "core/collective/kind.h"
#include "core/network/gpu_group.h"
#include "core/network/nccl_tables.h"

namespace commcost {

/// A combination that NCCL may pick, with its time by NCCL's own model.
struct NcclChoice {
  NcclAlgorithm algorithm = NcclAlgorithm::ring;
  NcclProtocol protocol = NcclProtocol::ll;
  double time_us = 0;
};

/// From that size on (a power of two), NCCL's model picks that combination.
struct NcclSwitch {
  double message_size_bytes;
  NcclAlgorithm algorithm;
  NcclProtocol protocol;
};

/// NCCL's own cost model of a collective on a group: t = latency + bytes / bandwidth for each combination.
/// It is a selector: it leaves out the ramp of channels and threads, and is optimistic at 1-32 MiB.
struct NcclModel {
  bool known = false;                   ///< NCCL has a model of this collective on this accelerator
  bool all_reduce = false;              ///< the run-time corrections hold for it alone
  bool several_nodes = false;           ///< the group spans nodes
  double ranks = 1;                     ///< of the group
  double channels = 1;                  ///< of the search graph
  double plateau_factor = 1;            ///< of the generation
  PerAlgorithm latency_us{};            ///< by algorithm and protocol
  PerAlgorithm bandwidth_gb_per_sec{};  ///< algorithm bandwidth; 0: not offered

  /// The modelled time of one combination; infinite if it is not offered.
  double time_us(NcclAlgorithm algorithm, NcclProtocol protocol, double message_size_bytes) const;
  /// The combination that it picks; only if known.
  NcclChoice choice(double message_size_bytes) const;
  /// Its picks from 1 B to 16 GiB, a row where the pick changes; empty if not known.
  std::vector<NcclSwitch> switches() const;
};

/// NCCL's model for a collective on a group; `collnet`: the network reduces as well (SHARP).
NcclModel nccl_model(const GpuGroup& group, Collective collective, bool collnet = false);

}  // namespace commcost
