#pragma once

#include <array>
#include <tuple>

#include "core/hardware/accelerators.h"
#include "core/hardware/launch.h"
#include "core/hardware/machine.h"
#include "core/hardware/network_kinds.h"

namespace commcost {

/// The GPUs that take part in a collective, and what joins them.
struct GpuGroup {
  const Fabric* fabric = nullptr;                 ///< of their accelerator
  double num_gpus = 1;                            ///< ranks, one a GPU, >= 1
  double nodes = 1;                               ///< scale-up domains that the group spans
  double gpus_in_node = 1;                        ///< num_gpus / nodes: those of the group in one domain
  bool quad = false;                              ///< nodes of four: a mesh even of a switched accelerator
  bool in_network = false;                        ///< the switches of the node reduce
  double nic_gb_per_sec = 0;                      ///< between nodes, one way, per GPU, GB/s
  NetworkKind network = NetworkKind::infiniband;  ///< between nodes
  Launch launch = Launch::process_per_gpu;        ///< who launches
  NetworkBorders borders{};                       ///< of the network
  std::array<double, std::tuple_size_v<NetworkBorders>> ranks_below{};  ///< ranks below each; 0: all

  /// Whether the group leaves its scale-up domain.
  bool spans_nodes() const { return nodes > 1; }
};

/// The group of `num_gpus` ranks, packed into nodes of `gpus_per_node`; by default nodes are joined by
/// InfiniBand and every GPU has its own process.
inline GpuGroup group_of(const Fabric& fabric, double num_gpus, double gpus_per_node, double nic_gb_per_sec,
                         NetworkKind network = NetworkKind::infiniband,
                         Launch launch = Launch::process_per_gpu) {
  GpuGroup group;
  group.fabric = &fabric;
  group.num_gpus = num_gpus;
  const double domain = scale_up_domain(fabric, gpus_per_node);
  // A whole number of nodes, without std::ceil: it is not exact to reason about, and slower in wasm.
  const double full = static_cast<double>(static_cast<long long>(num_gpus / domain));
  group.nodes = full * domain < num_gpus ? full + 1 : full;
  group.gpus_in_node = num_gpus / group.nodes;
  group.quad = gpus_per_node == 4 && fabric.quad_boards;
  group.in_network = fabric.in_network_reduction && !group.quad;
  group.nic_gb_per_sec = nic_gb_per_sec;
  group.network = network;
  group.launch = launch;
  return group;
}

}  // namespace commcost
