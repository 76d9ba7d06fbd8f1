#include "core/step/collective_timer.h"

#include <algorithm>
#include <cmath>

namespace commcost {
namespace {

// Of `ranks`, those that share a domain.
double ranks_in_domain(const Ranks& ranks, double domain) {
  return std::min(ranks.size, std::max(1.0, std::floor(domain / ranks.stride)));
}

}  // namespace

double scale_up_domain(const Machine& machine) {
  const auto node = static_cast<double>(machine.gpus_per_node);
  return std::max(node, static_cast<double>(find_fabric(accelerator_of(machine).id)->domain_size));
}

double domains_of(const Ranks& ranks, const Machine& machine) {
  return ranks.size / ranks_in_domain(ranks, scale_up_domain(machine));
}

GpuGroup group_of(const Machine& machine, const Fabric& fabric, double num_gpus) {
  return group_of(fabric, num_gpus, static_cast<double>(machine.gpus_per_node), machine.nic_gb_per_sec,
                  static_cast<NetworkKind>(machine.network), machine.launch);
}

CollectiveTimer::CollectiveTimer(const Machine& given, const MachineScales& scales) : scales_(scales) {
  const Machine machine = completed(given);
  domain_ = scale_up_domain(machine);
  fabric_ = fabric_of(machine);
  machine_ = group_of(machine, fabric_, 1);
}

double CollectiveTimer::time_us(Collective collective, const Ranks& ranks, double bytes) const {
  if (ranks.size <= 1 || bytes <= 0) return 0;
  for (const Timed& timed : timed_) {
    if (timed.bytes == bytes && timed.collective == collective && timed.ranks == ranks) return timed.time_us;
  }
  const double time_us = predicted_us(collective, ranks, bytes);
  timed_[next_] = {collective, ranks, bytes, time_us};
  next_ = (next_ + 1) % timed_.size();
  return time_us;
}

double CollectiveTimer::predicted_us(Collective collective, const Ranks& ranks, double bytes) const {
  double size = ranks.size;
  double within = ranks_in_domain(ranks, domain_);
  if (collective == Collective::send_receive) {
    within = ranks.size * ranks.stride <= domain_ ? 2 : 1;
    size = 2;
  }
  GpuGroup placed = machine_;
  placed.fabric = &fabric_;
  placed.num_gpus = size;
  placed.nodes = std::ceil(size / within);
  placed.gpus_in_node = size / placed.nodes;
  // Latency does not depend on the size, so that a bandwidth f times as great takes as long as a message 1/f
  // the size, and latencies g times as great take g times as long as a message 1/g the size.
  const double bandwidth = size > within ? scales_.network : scales_.link;
  const double scaled = bytes / (bandwidth * scales_.latency);
  return scales_.latency * predictor_of(placed, collective).at(scaled).time_us;
}

}  // namespace commcost
