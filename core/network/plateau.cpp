#include "core/network/plateau.h"

#include <algorithm>
#include <cmath>

#include "core/collective/bus_bandwidth.h"
#include "core/network/line_rate.h"

namespace commcost {
namespace {

/// GPUs of a node beyond which reduction in the switch gains no more: 8 and 72 GPUs of a GB200 rack both
/// reach 843 GB/s of bus bandwidth.
constexpr double reducing_gpus_limit = 8;

/// Two limits in series: below the smaller, close to it where they differ much (an 8-norm).
double both(double a, double b) {
  const double smaller = std::min(a, b);
  const double ratio = smaller / std::max(a, b);
  const double squared = ratio * ratio;
  const double fourth = squared * squared;
  return smaller / std::sqrt(std::sqrt(std::sqrt(1 + fourth * fourth)));
}

/// Two limits in series that do not affect each other.
double lesser(double a, double b) {
  return std::min(a, b);
}

double ring_share(FabricClass fabric_class, const Constants& constants) {
  return constants.of(Constant::share_nvlink2, fabric_class);
}

/// What one GPU's share of the NICs delivers, GB/s.
double nic_rate(const GpuGroup& group, const Constants& constants) {
  return group.nic_gb_per_sec * constants.of(Constant::net_share_infiniband, group.network);
}

/// What the NICs of a node deliver together: in a rack, those that its rings and trees reach at once.
double nics_rate(const GpuGroup& group, const Constants& constants) {
  const double nics = std::min(group.gpus_in_node, constants[Constant::rack_nics]);
  return nics * nic_rate(group, constants);
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

/// Bus bandwidth if the switches of a node reduce: an endpoint sends its buffer once and the reduced share
/// once, S (1 + 1/g) instead of a ring's 2 S (g-1)/g.
double reducing_rate(const GpuGroup& group, const Constants& constants) {
  const bool nvlink4 = group.fabric->fabric_class == FabricClass::nvlink4;
  const double share = constants[nvlink4 ? Constant::share_reduce_nvlink4 : Constant::share_reduce_nvlink5];
  const double gpus = std::min(group.gpus_in_node, reducing_gpus_limit);
  return share * group.fabric->link_gb_per_sec / (1 + 1 / gpus) *
         bus_bandwidth_factor(Collective::all_reduce, gpus);
}

Plateau all_reduce_in_node(const GpuGroup& group, const Constants& constants) {
  const double ring = ring_rate(group, constants);
  if (group.in_network && group.gpus_in_node > 2) {
    const double reduced = reducing_rate(group, constants);
    if (reduced > ring) return {reduced, Algorithm::in_network};
  }
  return {ring, Algorithm::ring};
}

Plateau all_reduce_plateau(const GpuGroup& group, const Constants& constants) {
  const Plateau inside = all_reduce_in_node(group, constants);
  if (!group.spans_nodes()) return inside;
  const double nics = nics_rate(group, constants);
  // Two racks were measured at the rate of one.
  const auto joined = group.gpus_in_node > constants[Constant::rack_nics] ? lesser : both;
  const double over_rings = joined(inside.bus_gb_per_sec, nics);
  if (group.nodes > 2) return {over_rings, inside.algorithm};
  // Between two nodes a tree sends the message once each way, a ring nearly twice.
  const bool ring = inside.algorithm == Algorithm::ring;
  const double tree_inside =
      inside.bus_gb_per_sec * (ring && group.gpus_in_node > 1 ? constants[Constant::share_tree] : 1);
  const double over_tree =
      joined(tree_inside, nics * bus_bandwidth_factor(Collective::all_reduce, group.num_gpus));
  if (over_tree <= over_rings) return {over_rings, inside.algorithm};
  return {over_tree, ring ? Algorithm::double_binary_tree : Algorithm::in_network};
}

Plateau ring_plateau(const GpuGroup& group, const Constants& constants) {
  const bool pair = group.fabric->topology == Topology::switched && group.num_gpus <= 2;
  const double ring = ring_rate(group, constants) * (pair ? constants[Constant::share_pair_pass] : 1);
  return {group.spans_nodes() ? both(ring, nics_rate(group, constants)) : ring, Algorithm::ring};
}

/// A chain moves the same bytes over every link, so more nodes never make it faster.
Plateau chain_plateau(const GpuGroup& group, const Constants& constants) {
  Plateau chain = ring_plateau(group, constants);
  if (!group.spans_nodes()) return chain;
  GpuGroup node = group;
  node.num_gpus = group.gpus_in_node;
  node.nodes = 1;
  chain.bus_gb_per_sec = std::min(chain.bus_gb_per_sec, ring_rate(node, constants));
  return chain;
}

Plateau send_receive_plateau(const GpuGroup& group, const Constants& constants) {
  if (group.spans_nodes()) return {nic_rate(group, constants), Algorithm::direct};
  const Fabric& fabric = *group.fabric;
  const bool mesh = group.quad || fabric.topology == Topology::mesh;
  const double share = fabric.topology == Topology::switched && !group.quad ? constants[Constant::share_peer]
                       : mesh ? constants[Constant::share_peer_mesh]
                              : ring_share(fabric.fabric_class, constants);
  return {peer_rate(group) * share, Algorithm::direct};
}

/// Every GPU to every GPU, or all to one: only blocks for other nodes pass the NIC.
Plateau direct_plateau(const GpuGroup& group, const Constants& constants) {
  const double ring = ring_rate(group, constants);
  if (!group.spans_nodes()) return {ring, Algorithm::direct};
  const double outside = (group.num_gpus - group.gpus_in_node) / (group.num_gpus - 1);
  return {both(ring, nic_rate(group, constants) / outside), Algorithm::direct};
}

}  // namespace

Plateau plateau_of(const GpuGroup& group, Collective collective, const Constants& constants) {
  switch (collective) {
    case Collective::all_reduce:
    case Collective::barrier:
      return all_reduce_plateau(group, constants);
    case Collective::send_receive:
      return send_receive_plateau(group, constants);
    case Collective::all_to_all:
    case Collective::gather:
    case Collective::scatter:
      return direct_plateau(group, constants);
    case Collective::broadcast:
    case Collective::reduce:
      return chain_plateau(group, constants);
    case Collective::all_gather:
    case Collective::reduce_scatter:
      break;
  }
  return ring_plateau(group, constants);
}

}  // namespace commcost
