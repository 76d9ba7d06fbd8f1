#include "core/network/textbook.h"

#include <algorithm>

#include "core/base/units.h"
#include "core/collective/bus_bandwidth.h"
#include "core/network/passes.h"

namespace commcost {
namespace {

constexpr double nvlink_step_us = 3.4;    // NCCL 2.30.7 src/graph/tuning.cc: ring, Simple
constexpr double pcie_step_us = 5.7;      // the same
constexpr double network_step_us = 14.0;  // the same

double step_us(const GpuGroup& group) {
  return group.fabric->topology == Topology::host ? pcie_step_us : nvlink_step_us;
}

}  // namespace

double textbook_us(const GpuGroup& group, Collective collective, double message_size_bytes) {
  double bandwidth = group.fabric->link_gb_per_sec;
  if (group.spans_nodes()) {
    const double nics = group.gpus_in_node * group.nic_gb_per_sec;
    bandwidth = group.gpus_in_node > 1 ? std::min(bandwidth, nics) : nics;
  }
  return transfer_us(ring_sent_bytes(collective, group.num_gpus, message_size_bytes), bandwidth);
}

double hockney_us(const GpuGroup& group, Collective collective, double message_size_bytes) {
  if (group.num_gpus <= 1) return 0;
  const double across = group.spans_nodes() ? group.nodes : 0;
  const double steps = collective == Collective::send_receive ? 1 : group.num_gpus - 1;
  const double crossing = std::min(steps, across);
  const double latency =
      ring_passes(collective) * ((steps - crossing) * step_us(group) + crossing * network_step_us);
  return latency + textbook_us(group, collective, message_size_bytes);
}

double two_level_us(const GpuGroup& group, Collective collective, double message_size_bytes) {
  if (!group.spans_nodes()) return hockney_us(group, collective, message_size_bytes);
  GpuGroup node = group;
  node.num_gpus = group.gpus_in_node;
  node.nodes = 1;
  const double inside = group.gpus_in_node > 1 ? hockney_us(node, collective, message_size_bytes) : 0;
  const double latency = ring_passes(collective) * (group.nodes - 1) * network_step_us;
  const double each_nic = ring_sent_bytes(collective, group.nodes, message_size_bytes) / group.gpus_in_node;
  return inside + latency + transfer_us(each_nic, group.nic_gb_per_sec);
}

}  // namespace commcost
