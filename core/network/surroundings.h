#pragma once

#include <string_view>

#include "core/network/fabric.h"

namespace commcost {

/// What joins the nodes: each kind has its own latency and share of the line rate.
enum class NetworkKind {
  infiniband,     ///< InfiniBand, or RoCE with GPUDirect RDMA
  slingshot,      ///< HPE Slingshot 11 (libfabric cxi)
  efa,            ///< AWS EFA from its second generation on
  efa_v1,         ///< AWS EFA of 100 Gb/s ports (p4d, g4dn)
  gpudirect_tcp,  ///< Google's GPUDirect-TCPX and TCPXO
};

/// The kinds' names as they cross the boundary.
inline constexpr std::string_view network_kind_names[] = {"infiniband", "slingshot", "efa", "efa_v1",
                                                          "gpudirect_tcp"};

/// Who launches the kernels of a collective: it sets the floor of small messages in one node.
enum class Launch {
  process_per_gpu,  ///< a process a GPU, as training runs and MPI launches do
  single_process,   ///< one process that launches for each GPU in turn, as nccl-tests -g 8 does
};

/// The launch modes' names as they cross the boundary.
inline constexpr std::string_view launch_names[] = {"process_per_gpu", "single_process"};

/// The network that machines with this accelerator, node size and rate usually have; infiniband where none is
/// known.
NetworkKind usual_network(const Fabric& fabric, double gpus_per_node, double nic_gb_per_sec);

/// How public measurements of such a group were usually launched.
Launch usual_launch(const Fabric& fabric, double gpus_per_node, double nodes);

}  // namespace commcost
