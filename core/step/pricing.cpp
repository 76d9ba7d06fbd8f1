#include "core/step/pricing.h"

#include <algorithm>
#include <cmath>

namespace commcost {
RankGroup place(const StridedGroup& group, const Machine& machine) {
  const double domain = scale_up_domain(machine);
  return {group.size, std::min(group.size, std::max(1.0, std::floor(domain / group.stride)))};
}

double scale_up_domain(const Machine& machine) {
  const auto node = static_cast<double>(machine.gpus_per_node);
  return std::max(node, static_cast<double>(find_fabric(accelerator_of(machine).id)->domain_size));
}

Pricing::Pricing(const Machine& given, const MachineScales& scales) : scales_(scales) {
  const Machine machine = completed(given);
  fabric_ = fabric_of(machine);
  machine_ = group_of(fabric_, 1, static_cast<double>(machine.gpus_per_node), machine.nic_gb_per_sec);
  machine_.network = static_cast<NetworkKind>(machine.network);
  machine_.launch = machine.launch;
}

double Pricing::us(Collective collective, const RankGroup& group, double bytes) const {
  if (group.ranks <= 1 || bytes <= 0) return 0;
  GpuGroup placed = machine_;
  placed.fabric = &fabric_;
  placed.num_gpus = group.ranks;
  placed.nodes = std::ceil(group.ranks / group.ranks_per_node);
  placed.gpus_in_node = group.ranks / placed.nodes;
  // Latency does not depend on the size, so that a bandwidth f times as great takes as long as a message 1/f
  // the size, and latencies g times as great take g times as long as a message 1/g the size.
  const double bandwidth = group.crosses_nodes() ? scales_.network : scales_.link;
  const double scaled = bytes / (bandwidth * scales_.latency);
  return scales_.latency * predictor_of(placed, collective).at(scaled).time_us;
}

}  // namespace commcost
