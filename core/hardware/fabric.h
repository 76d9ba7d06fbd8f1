#pragma once

#include <string_view>

namespace commcost {

/// How the GPUs of a node are joined.
enum class Topology {
  switched,     ///< every GPU has its whole link to any peer (NVSwitch)
  mesh,         ///< the link is divided evenly over the peers of a full mesh
  cube_mesh,    ///< the DGX-1 hybrid cube mesh: how many rings fit depends on the GPUs taken
  bridge_pair,  ///< a bridge joins pairs; larger groups go through the host
  host,         ///< through PCIe and the host
  torus,        ///< an axis of a torus, ring-wise
};
inline constexpr std::string_view topology_names[] = {"switched",    "mesh", "cube_mesh",
                                                      "bridge_pair", "host", "torus"};

/// Accelerators whose links and collectives behave alike: one set of fitted constants each.
enum class FabricClass {
  nvlink2,
  nvlink3,
  nvlink4,
  nvlink5,
  infinity_fabric,
  die_mesh,  ///< the dies of MI250X modules
  pcie3,
  pcie,  ///< generation 4 and later
  ici,   ///< the torus of a TPU pod
  other,
};
constexpr bool is_nvlink(FabricClass fabric) {
  return fabric <= FabricClass::nvlink5;
}

/// How an accelerator is joined to others.
struct Fabric {
  FabricClass fabric_class;  ///< which fitted constants hold
  Topology topology;         ///< inside a node
  int mesh_size = 0;         ///< GPUs that a full mesh or cube mesh joins
  int domain_size = 1;  ///< least GPUs of one scale-up domain, however a node is counted (NVL72, a TPU pod)
  bool quad_boards = false;  ///< nodes of four exist in which a mesh joins the GPUs, whatever joins eight
  bool in_network_reduction = false;  ///< the node's switches reduce (NVLink SHARP)
  bool measured = false;              ///< public measurements of this class went into the constants
  std::string_view source;            ///< where topology and capability are stated
  std::string_view accelerator = "";  ///< its id
  double link_gb_per_sec = 0;         ///< the scale-up link's rate, one way, all lanes, GB/s
  double host_gb_per_sec = 0;  ///< the host link's rate, for groups that a bridge does not join; 0: not known
};

/// GPUs joined by scale-up links when a node is counted as that many: those of the node, or all of the
/// fabric's domain (a rack, a pod) if that is larger. TPU chips beyond what a host holds are a slice of the
/// pod, joined to other slices by the network.
constexpr double scale_up_domain(const Fabric& fabric, double gpus_per_node) {
  constexpr double most_chips_of_a_host = 8;  // docs.cloud.google.com/tpu/docs/v5e, v6e
  if (fabric.topology == Topology::torus && gpus_per_node > most_chips_of_a_host) return gpus_per_node;
  return gpus_per_node < fabric.domain_size ? fabric.domain_size : gpus_per_node;
}

}  // namespace commcost
