#pragma once

#include <span>
#include <string_view>

#include "core/hardware/accelerators.h"

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

/// Accelerators whose links and collectives behave alike: one set of fitted constants each.
enum class FabricClass { nvlink2, nvlink3, nvlink4, nvlink5, infinity_fabric, die_mesh, pcie, other };

/// The accelerators, in the order of all_fabrics() and of the hardware catalog.
inline constexpr std::string_view fabric_accelerator_ids[] = {
    "v100-sxm", "v100-pcie", "a100-sxm-40gb", "a100-sxm-80gb", "a100-pcie", "h100-sxm", "h100-pcie",
    "h100-nvl", "h200-sxm",  "gh200",         "b200",          "b300",      "gb200",    "l40s",
    "rtx4090",  "t4",        "mi250x",        "mi300x",        "mi325x",    "mi355x",   "gaudi2",
    "gaudi3",   "trainium2", "tpu-v4",        "tpu-v5e",       "tpu-v5p",   "tpu-v6e"};

/// What the network room knows about an accelerator beyond the hardware catalog.
struct Fabric {
  std::string_view accelerator;  ///< id in the hardware catalog
  FabricClass fabric_class;      ///< which fitted constants hold
  Topology topology;             ///< inside a node
  int mesh_size;                 ///< GPUs that a full mesh or cube mesh joins
  int domain_size;               ///< least GPUs of one scale-up domain, however a node is counted (NVL72)
  bool quad_boards;              ///< nodes of four exist in which a mesh joins the GPUs, whatever joins eight
  bool in_network_reduction;     ///< the node's switches reduce (NVLink SHARP)
  double link_gb_per_sec;        ///< one way, all lanes, GB/s; equals the hardware catalog's link
  double host_gb_per_sec;        ///< through PCIe, for groups that a bridge does not join; 0: none
  bool measured;                 ///< public measurements of this class went into the constants
  std::string_view source;       ///< where topology and capability are stated
};

/// Every accelerator's fabric, in the order of the hardware catalog.
std::span<const Fabric> all_fabrics();

/// The fabric of that accelerator, or null.
const Fabric* find_fabric(std::string_view accelerator);

}  // namespace commcost
