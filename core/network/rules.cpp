#include "core/network/rules.h"

#include <algorithm>
#include <cmath>

#include "core/collective/bus_bandwidth.h"

namespace commcost {
namespace {

constexpr double unlimited_gb_per_sec = 1e9;
constexpr double nvlink2_bricks = 6;
constexpr double ring_latency_limit = 8;
/// Root of the transfer time (us) at which half of a ring's ramp on EFA is lost: about 300 kB a node's NICs.
constexpr double ring_ramp_root_efa = 1;

/// Directed rings that fit into the first n GPUs of a DGX-1V, each over one 25 GB/s brick: counted in its
/// link matrix; five GPUs have no NVLink ring, the figure there is what vTrain measured (37 GB/s of bus
/// bandwidth).
constexpr double cube_mesh_rings[] = {0, 0, 1, 2, 4, 1.66, 2, 4, 6};

/// Steps that a ring collective takes for each rank beyond the first.
double rounds(Collective collective) {
  return collective == Collective::all_reduce || collective == Collective::barrier ? 2 : 1;
}

bool pairwise(Collective collective) {
  return collective == Collective::all_to_all || collective == Collective::gather ||
         collective == Collective::scatter || collective == Collective::send_receive;
}

/// log2 by straight lines between powers of two: exact there, increasing, and equal natively and in wasm.
double doublings(double nodes) {
  double power = 1;
  double count = 0;
  while (power * 2 <= nodes) {
    power *= 2;
    ++count;
  }
  return count + (nodes - power) / power;
}

/// Two limits in series: below the smaller, close to it where they differ much (an 8-norm).
double both(double a, double b) {
  const double smaller = std::min(a, b);
  const double ratio = smaller / std::max(a, b);
  const double squared = ratio * ratio;
  const double fourth = squared * squared;
  return smaller / std::sqrt(std::sqrt(std::sqrt(1 + fourth * fourth)));
}

double ring_share(FabricClass fabric_class, const Constants& constants) {
  switch (fabric_class) {
    case FabricClass::nvlink2:
      return constants[Constant::share_nvlink2];
    case FabricClass::nvlink3:
      return constants[Constant::share_nvlink3];
    case FabricClass::nvlink4:
      return constants[Constant::share_nvlink4];
    case FabricClass::nvlink5:
      return constants[Constant::share_nvlink5];
    case FabricClass::infinity_fabric:
      return constants[Constant::share_infinity_fabric];
    case FabricClass::die_mesh:
      return constants[Constant::share_die_mesh];
    case FabricClass::pcie:
      return constants[Constant::share_pcie];
    case FabricClass::other:
      break;
  }
  return constants[Constant::share_other];
}

double ramp_of(FabricClass fabric_class, const Constants& constants) {
  switch (fabric_class) {
    case FabricClass::nvlink2:
      return constants[Constant::ramp_nvlink2];
    case FabricClass::nvlink3:
      return constants[Constant::ramp_nvlink3];
    case FabricClass::nvlink4:
      return constants[Constant::ramp_nvlink4];
    case FabricClass::nvlink5:
      return constants[Constant::ramp_nvlink5];
    case FabricClass::infinity_fabric:
    case FabricClass::die_mesh:
      return constants[Constant::ramp_infinity_fabric];
    case FabricClass::pcie:
      return constants[Constant::ramp_pcie];
    case FabricClass::other:
      break;
  }
  return constants[Constant::ramp_other];
}

/// One way, per GPU: what `gpus` of a node can send each other at most (line rate), GB/s.
double line_rate(const GpuGroup& group, double gpus) {
  const Fabric& fabric = *group.fabric;
  if (group.quad && fabric.topology != Topology::host) {
    return fabric.link_gb_per_sec * std::min(1.0, (gpus - 1) / 3);
  }
  switch (fabric.topology) {
    case Topology::mesh:
      return fabric.link_gb_per_sec * std::min(1.0, (gpus - 1) / (fabric.mesh_size - 1));
    case Topology::cube_mesh: {
      const auto whole = static_cast<std::size_t>(std::min(8.0, std::max(2.0, gpus)));
      return fabric.link_gb_per_sec / nvlink2_bricks * cube_mesh_rings[whole];
    }
    case Topology::bridge_pair:
      return gpus > 2 ? fabric.host_gb_per_sec : fabric.link_gb_per_sec;
    case Topology::switched:
    case Topology::host:
    case Topology::torus:
      break;
  }
  return fabric.link_gb_per_sec;
}

/// The rate of one link between two GPUs, as a single send uses it.
double peer_rate(const GpuGroup& group) {
  const Fabric& fabric = *group.fabric;
  if (fabric.topology == Topology::cube_mesh && !group.quad) return fabric.link_gb_per_sec / nvlink2_bricks;
  return line_rate(group, 2);
}

struct NetworkConstants {
  double share;
  double latency;
  double ramp;
};

NetworkConstants network_constants(NetworkKind kind, const Constants& constants) {
  switch (kind) {
    case NetworkKind::infiniband:
    case NetworkKind::roce:
    case NetworkKind::omnipath:
    case NetworkKind::ici:
    case NetworkKind::ethernet:
      break;  // the share of the line rate that RDMA networks reach, until a kind has a fit of its own
    case NetworkKind::slingshot:
      return {constants[Constant::share_slingshot], 1, constants[Constant::net_ramp_slingshot]};
    case NetworkKind::efa:
      return {constants[Constant::share_efa], constants[Constant::net_latency_efa],
              constants[Constant::net_ramp_efa]};
    case NetworkKind::efa_v1:
      return {constants[Constant::share_efa], constants[Constant::net_latency_efa_v1],
              constants[Constant::net_ramp_efa]};
    case NetworkKind::gpudirect_tcp:
      return {constants[Constant::share_gpudirect_tcp], constants[Constant::net_latency_gpudirect_tcp],
              constants[Constant::net_ramp_gpudirect_tcp]};
  }
  return {constants[Constant::share_infiniband], 1, 1};
}

/// The rate of a ring through one node, bus bandwidth in GB/s; unlimited where a node holds one GPU.
double ring_rate(const GpuGroup& group, const Constants& constants) {
  if (group.gpus_in_node <= 1) return unlimited_gb_per_sec;
  const Fabric& fabric = *group.fabric;
  const bool through_host = fabric.topology == Topology::bridge_pair && group.gpus_in_node > 2;
  double rate = line_rate(group, group.gpus_in_node) *
                ring_share(through_host ? FabricClass::pcie : fabric.fabric_class, constants);
  if (fabric.topology == Topology::switched && group.gpus_in_node <= 2 && !group.spans_nodes()) {
    rate *= constants[Constant::share_pair];
  }
  if (fabric.fabric_class == FabricClass::infinity_fabric && group.spans_nodes()) {
    rate *= constants[Constant::mesh_gain_across_nodes];
  }
  return rate;
}

struct Plateau {
  double bus_gb_per_sec;
  Algorithm algorithm;
};

Plateau all_reduce_plateau(const GpuGroup& group, double factor, double net_share,
                           const Constants& constants) {
  const double ring = ring_rate(group, constants);
  Plateau inside{ring, Algorithm::ring};
  const bool nvlink4 = group.fabric->fabric_class == FabricClass::nvlink4;
  if (group.in_network && group.gpus_in_node > 2) {
    // An endpoint sends its buffer once and the reduced share once: S (1 + 1/g) instead of a ring's 2 S
    // (g-1)/g.
    const double share = constants[nvlink4 ? Constant::share_reduce_nvlink4 : Constant::share_reduce_nvlink5];
    const double reduced = share * group.fabric->link_gb_per_sec / (1 + 1 / group.gpus_in_node) * factor;
    if (reduced > ring) inside = {reduced, Algorithm::in_network};
  }
  if (!group.spans_nodes()) return inside;
  const double nics = group.gpus_in_node * group.nic_gb_per_sec * net_share;
  const double over_rings = both(inside.bus_gb_per_sec, nics);
  if (group.nodes > 2) return {over_rings, inside.algorithm};
  // Between two nodes a tree sends the message once each way, a ring nearly twice.
  double tree_inside = inside.bus_gb_per_sec;
  if (inside.algorithm == Algorithm::ring && group.gpus_in_node > 1)
    tree_inside *= constants[Constant::share_tree];
  const double over_tree = both(tree_inside, nics * factor);
  if (over_tree <= over_rings) return {over_rings, inside.algorithm};
  return {over_tree,
          inside.algorithm == Algorithm::in_network ? Algorithm::in_network : Algorithm::double_binary_tree};
}

Plateau plateau_of(const GpuGroup& group, Collective collective, double factor, const Constants& constants) {
  const NetworkConstants net = network_constants(group.network, constants);
  if (collective == Collective::all_reduce || collective == Collective::barrier) {
    return all_reduce_plateau(group, factor, net.share, constants);
  }
  const double nic = group.nic_gb_per_sec * net.share;
  double ring = ring_rate(group, constants);
  if (!pairwise(collective)) {
    if (group.spans_nodes()) ring = both(ring, group.gpus_in_node * nic);
    return {ring, Algorithm::ring};
  }
  if (collective == Collective::send_receive) {
    if (group.spans_nodes()) return {nic, Algorithm::direct};
    return {std::min(ring, peer_rate(group) * ring_share(group.fabric->fabric_class, constants)),
            Algorithm::direct};
  }
  if (group.spans_nodes()) {
    // Only blocks for other nodes pass the NIC.
    const double outside = (group.num_gpus - group.gpus_in_node) / (group.num_gpus - 1);
    ring = both(ring, nic / outside);
  }
  return {ring, Algorithm::direct};
}

/// Message bytes a microsecond that line rates allow, whatever the algorithm.
double bound_of(const GpuGroup& group, Collective collective) {
  const double n = group.num_gpus;
  const double g = group.gpus_in_node;
  const double nodes = group.nodes;
  const double line = g > 1 ? std::max(line_rate(group, g), peer_rate(group)) : unlimited_gb_per_sec;
  const double nic = group.spans_nodes() ? group.nic_gb_per_sec : unlimited_gb_per_sec;
  // Shares of the message that must pass a GPU's links, and its node's NICs or its own.
  double over_links = 1;
  double over_nics = 1;
  double nics = g;
  switch (collective) {
    case Collective::all_reduce:
    case Collective::barrier:
      over_links = group.in_network ? 1 : 2 * (g - 1) / g;
      over_nics = 2 * (nodes - 1) / nodes;
      break;
    case Collective::all_gather:
    case Collective::reduce_scatter:
      over_links = (g - 1) / g;
      over_nics = (nodes - 1) / nodes;
      break;
    case Collective::gather:
    case Collective::scatter:
      over_links = (g - 1) / n;
      over_nics = (n - g) / n;
      break;
    case Collective::all_to_all:
      over_links = (g - 1) / n;
      over_nics = (n - g) / n;
      nics = 1;
      break;
    case Collective::send_receive:
      nics = 1;
      if (group.spans_nodes()) over_links = 0;
      break;
    case Collective::broadcast:
    case Collective::reduce:
      break;
  }
  const double us_per_kb = std::max(over_links / line, over_nics / (nics * nic));
  return 1e3 / us_per_kb;
}

double latency_of(const GpuGroup& group, Collective collective, const Constants& constants) {
  const double n = group.num_gpus;
  if (!group.spans_nodes()) {
    const bool pcie = group.fabric->fabric_class == FabricClass::pcie;
    const double step = constants[pcie ? Constant::latency_step_pcie : Constant::latency_step];
    double steps = collective == Collective::send_receive ? 1 : rounds(collective) * (n - 1);
    if (rounds(collective) == 2 && n > ring_latency_limit) {
      // In larger domains trees and switches take over from rings: a doubling costs two steps each way.
      steps = 2 * (ring_latency_limit - 1) + 4 * doublings(n / ring_latency_limit);
    }
    const double generation =
        group.fabric->fabric_class == FabricClass::nvlink5 ? constants[Constant::latency_nvlink5] : 1;
    return (constants[Constant::latency_base] + step * steps) * generation;
  }
  const double factor = network_constants(group.network, constants).latency;
  const double base = constants[Constant::net_latency_base];
  const double doubling = constants[Constant::net_latency_doubling];
  if (rounds(collective) == 2) {
    const double peers = group.gpus_in_node - 1;
    const double inside = peers * std::sqrt(std::sqrt(peers));
    return factor *
           (base + constants[Constant::net_latency_node] * inside + doubling * doublings(group.nodes));
  }
  if (collective == Collective::send_receive) return factor * (base + doubling / 2);
  return factor * (base + constants[Constant::net_latency_ring_step] * (n - 1));
}

}  // namespace

RuledCurve ruled_curve(const GpuGroup& group, Collective collective, const Constants& constants) {
  RuledCurve ruled;
  const double n = group.num_gpus;
  if (n <= 1) {
    ruled.curve.bytes_per_us = unlimited_gb_per_sec * 1e3;
    ruled.curve.bound_bytes_per_us = unlimited_gb_per_sec * 1e3;
    return ruled;
  }
  const Collective moved = collective == Collective::barrier ? Collective::all_reduce : collective;
  const double factor = bus_bandwidth_factor(moved, n);
  const Plateau plateau = plateau_of(group, moved, factor, constants);
  ruled.algorithm = plateau.algorithm;
  Curve& curve = ruled.curve;
  curve.bound_bytes_per_us = bound_of(group, moved);
  curve.bytes_per_us = std::min(plateau.bus_gb_per_sec / factor * 1e3, curve.bound_bytes_per_us);
  curve.latency_us = latency_of(group, moved, constants);
  const bool two_rounds = rounds(moved) == 2;
  if (group.spans_nodes()) {
    curve.ramp_us = constants[Constant::net_ramp] * network_constants(group.network, constants).ramp *
                    std::sqrt(group.gpus_in_node * group.nodes / 2);
    if (!two_rounds) curve.ramp_us *= constants[Constant::net_ramp_half_step];
    const bool efa = group.network == NetworkKind::efa;
    if (efa && two_rounds && group.nodes > 2)
      curve.ramp_us += constants[Constant::net_ramp_step_efa] * (n - 1);
    curve.ramp_root = std::sqrt(constants[Constant::net_ramp_half_share] * curve.ramp_us);
    if (efa && !two_rounds && !pairwise(moved)) {
      // Each step of a ring waits for a whole chunk between nodes, from small messages on.
      curve.ramp_us += constants[Constant::net_ramp_ring_efa] * (n - 1);
      curve.ramp_root = ring_ramp_root_efa;
    }
  } else {
    curve.ramp_us = ramp_of(group.fabric->fabric_class, constants) * std::sqrt((n - 1) / 7);
    if (!two_rounds) curve.ramp_us *= constants[Constant::ramp_half_step];
    curve.ramp_root = std::sqrt(constants[Constant::ramp_half_share] * curve.ramp_us);
  }
  if (group.launch == Launch::one_thread && !group.spans_nodes()) {
    const FabricClass fabric_class = group.fabric->fabric_class;
    const Constant which =
        fabric_class == FabricClass::nvlink2 ? Constant::launch_nvlink2
        : fabric_class == FabricClass::nvlink5 || fabric_class == FabricClass::infinity_fabric
            ? Constant::launch_recent
            : Constant::launch;
    curve.launch_us = constants[which] * n;
  }
  return ruled;
}

}  // namespace commcost
