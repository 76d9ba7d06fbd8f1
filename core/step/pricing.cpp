#include "core/step/pricing.h"

#include <algorithm>
#include <cmath>

namespace commcost {
namespace {

// Sixteen V100s behind NVSwitch, the DGX-2: the one V100 machine whose links are switched.
constexpr double dgx2_gpus = 16;

const Fabric& dgx2_fabric() {
  static const Fabric fabric = [] {
    Fabric switched = *find_fabric("v100-sxm");
    switched.topology = Topology::switched;
    switched.source = "NVIDIA DGX-2 data sheet: 16 V100, 12 NVSwitches, 6 links each";
    return switched;
  }();
  return fabric;
}

const Fabric& fabric_of(const Machine& machine) {
  const Fabric& fabric = *find_fabric(accelerator_of(machine).id);
  const bool dgx2 =
      fabric.topology == Topology::cube_mesh && static_cast<double>(machine.gpus_per_node) >= dgx2_gpus;
  return dgx2 ? dgx2_fabric() : fabric;
}

}  // namespace

RankGroup place(const StridedGroup& group, const Machine& machine) {
  const double domain = scale_up_domain(machine);
  return {group.size, std::min(group.size, std::max(1.0, std::floor(domain / group.stride)))};
}

double scale_up_domain(const Machine& machine) {
  const auto node = static_cast<double>(machine.gpus_per_node);
  return std::max(node, static_cast<double>(find_fabric(accelerator_of(machine).id)->domain_size));
}

Pricing::Pricing(const Machine& machine, const MachineScales& scales)
    : machine_(group_of(fabric_of(machine), 1, static_cast<double>(machine.gpus_per_node),
                        machine.nic_gb_per_sec)),
      scales_(scales) {
  // Training launches from one process for each GPU, however benchmarks of such a machine were launched.
  machine_.launch = Launch::process_per_gpu;
}

double Pricing::us(Collective collective, const RankGroup& group, double bytes) const {
  if (group.ranks <= 1 || bytes <= 0) return 0;
  GpuGroup placed = machine_;
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
