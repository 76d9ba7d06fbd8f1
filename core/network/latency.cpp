#include "core/network/latency.h"

#include <algorithm>
#include <cmath>

#include "core/network/doublings.h"
#include "core/network/passes.h"

namespace commcost {
namespace {

/// GPUs up to which NCCL's rings are as fast as its trees for small messages.
constexpr double ring_latency_limit = 8;
/// Steps of a collective in which every GPU writes to its peers at once: send, and wait for theirs.
constexpr double direct_steps = 2;
/// Chips along one axis of a TPU's torus, as larger slices are built.
constexpr double torus_axis = 16;

bool is_direct(Collective collective) {
  return collective == Collective::all_to_all || collective == Collective::gather ||
         collective == Collective::scatter;
}

bool is_pcie(FabricClass fabric_class) {
  return fabric_class == FabricClass::pcie || fabric_class == FabricClass::pcie3;
}

/// Hops of a ring that is walked both ways at once; in a slice with two axes, one after the other.
double torus_hops(double chips) {
  return chips <= torus_axis ? chips / 2 : 2 * std::sqrt(chips);
}

/// Steps of a collective in one node, one after the other.
double steps_in_node(double gpus, Collective collective) {
  if (collective == Collective::send_receive) return 1;
  if (is_direct(collective)) return std::min(gpus - 1, direct_steps);
  const double passes = ring_passes(collective);
  if (passes == 1 || gpus <= ring_latency_limit) return passes * (gpus - 1);
  // In larger domains trees and switches take over from rings: a doubling costs two steps each way.
  return 2 * (ring_latency_limit - 1) + 4 * doublings(gpus / ring_latency_limit);
}

double in_node(const GpuGroup& group, Collective collective, const Constants& constants) {
  const FabricClass fabric_class = group.fabric->fabric_class;
  if (group.fabric->topology == Topology::torus) {
    if (collective == Collective::send_receive) return constants[Constant::latency_hop_ici];
    return constants[Constant::latency_hop_ici] * ring_passes(collective) * torus_hops(group.num_gpus);
  }
  const double step = constants[is_pcie(fabric_class) ? Constant::latency_step_pcie : Constant::latency_step];
  return constants.of(Constant::latency_nvlink2, fabric_class) *
         (constants[Constant::latency_base] + step * steps_in_node(group.num_gpus, collective));
}

/// Relative to the time of InfiniBand.
double across_nodes(const GpuGroup& group, Collective collective, const Constants& constants) {
  const double base = constants[Constant::across_latency_base];
  const double doubling = constants[Constant::across_latency_doubling];
  if (ring_passes(collective) == 2) {
    const double peers = group.gpus_in_node - 1;
    const double inside = peers * std::sqrt(std::sqrt(peers));
    return base + constants[Constant::across_latency_node] * inside + doubling * doublings(group.nodes);
  }
  if (collective == Collective::send_receive) return base + doubling / 2;
  return base + constants[Constant::across_latency_crossing] * group.nodes +
         constants[Constant::across_latency_ring_step] * (group.num_gpus - group.nodes);
}

}  // namespace

double latency_us(const GpuGroup& group, Collective collective, const Constants& constants) {
  if (!group.spans_nodes()) return in_node(group, collective, constants);
  const double across = constants.of(Constant::net_latency_infiniband, group.network) *
                        across_nodes(group, collective, constants);
  // Steps inside a node take as long as they do in a node alone.
  GpuGroup node = group;
  node.num_gpus = group.gpus_in_node;
  node.nodes = 1;
  return node.num_gpus > 1 ? std::max(across, in_node(node, collective, constants)) : across;
}

double launch_floor_us(const GpuGroup& group, const Constants& constants) {
  const FabricClass fabric_class = group.fabric->fabric_class;
  if (group.launch == Launch::process_per_gpu) return 0;
  if (group.launch == Launch::thread_per_gpu) return constants[Constant::launch_thread] * group.gpus_in_node;
  const bool recent = fabric_class == FabricClass::nvlink5 || fabric_class == FabricClass::infinity_fabric;
  const Constant launch = fabric_class == FabricClass::nvlink2 ? Constant::launch_nvlink2
                          : recent                             ? Constant::launch_recent
                                                               : Constant::launch;
  return constants[launch] * group.gpus_in_node;
}

}  // namespace commcost
