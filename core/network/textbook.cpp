#include "core/network/textbook.h"

#include <algorithm>

#include "core/base/units.h"
#include "core/collective/bus_bandwidth.h"
#include "core/network/line_rate.h"
#include "core/network/passes.h"

namespace commcost {
namespace {

constexpr double nvlink_step_us = 3.4;    // NCCL 2.30.7 src/graph/tuning.cc: ring, Simple
constexpr double pcie_step_us = 5.7;      // the same
constexpr double network_step_us = 14.0;  // the same

double step_us(const GpuGroup& group) {
  return group.fabric->topology == Topology::host ? pcie_step_us : nvlink_step_us;
}

/// Whether ranks send directly to their receivers, so that only their own NIC carries what leaves the node.
constexpr bool sends_directly(Collective collective) {
  return collective == Collective::all_to_all || collective == Collective::send_receive;
}

/// Rate of a GPU's links in its node, as in the lower bound, GB/s.
double node_rate(const GpuGroup& group) {
  if (group.gpus_in_node <= 1) return unlimited_gb_per_sec;
  return std::max(line_rate(group, group.gpus_in_node), peer_rate(group));
}

/// Time for what each rank sends over its own links and NIC at once: the blocks of its node and those of the
/// others, us.
double direct_us(const GpuGroup& group, Collective collective, double message_size_bytes) {
  const double others = group.num_gpus - group.gpus_in_node;
  const double across = collective == Collective::send_receive ? 1 : others / group.num_gpus;
  const double sent = ring_sent_bytes(collective, group.num_gpus, message_size_bytes);
  const double leaves = message_size_bytes * across;
  return std::max(transfer_us(sent - leaves, node_rate(group)), transfer_us(leaves, group.nic_gb_per_sec));
}

}  // namespace

double textbook_us(const GpuGroup& group, Collective collective, double message_size_bytes) {
  if (group.spans_nodes() && sends_directly(collective))
    return direct_us(group, collective, message_size_bytes);
  const double nics = group.spans_nodes() ? group.gpus_in_node * group.nic_gb_per_sec : unlimited_gb_per_sec;
  return transfer_us(ring_sent_bytes(collective, group.num_gpus, message_size_bytes),
                     std::min(node_rate(group), nics));
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
  const double latency = ring_passes(collective) * (group.nodes - 1) * network_step_us;
  if (sends_directly(collective)) return latency + direct_us(group, collective, message_size_bytes);
  const double inside = group.gpus_in_node > 1 ? hockney_us(node, collective, message_size_bytes) : 0;
  const double each_nic = ring_sent_bytes(collective, group.nodes, message_size_bytes) / group.gpus_in_node;
  return inside + latency + transfer_us(each_nic, group.nic_gb_per_sec);
}

}  // namespace commcost
