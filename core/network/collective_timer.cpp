#include "core/network/collective_timer.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/network/spine.h"

namespace commcost {

namespace {

void place_below(GpuGroup& group, const Ranks& ranks) {
  for (std::size_t border = 0; border < group.borders.size(); ++border) {
    const double gpus = group.borders[border].gpus_below;
    group.ranks_below[border] = gpus > 0 ? ranks_in_domain(ranks, gpus) : 0;
  }
}

}  // namespace

double domains_of(const Ranks& ranks, const Machine& machine) {
  return domains_of(ranks, scale_up_domain(machine));
}

Calibration calibration_of(const Machine& machine) {
  return {machine.latency_scale, machine.bandwidth_scale, machine.link_bandwidth_scale,
          machine.network_bandwidth_scale};
}

GpuGroup group_of(const Machine& machine, const Fabric& fabric, double num_gpus) {
  GpuGroup group =
      group_of(fabric, num_gpus, static_cast<double>(machine.gpus_per_node), machine.nic_gb_per_sec,
               static_cast<NetworkKind>(machine.network), machine.launch);
  if (machine.in_network_reduction != SwitchReduction::usual)
    group.in_network = machine.in_network_reduction == SwitchReduction::on;
  group.borders = borders_of(machine);
  place_below(group, {num_gpus, 1});
  return group;
}

GpuGroup group_of(const Machine& machine, const Fabric& fabric, const Ranks& ranks) {
  GpuGroup group = group_of(machine, fabric, ranks.size);
  if (ranks.stride <= 1) return group;
  group.nodes = std::ceil(ranks.size / ranks_in_domain(ranks, scale_up_domain(machine)));
  group.gpus_in_node = ranks.size / group.nodes;
  place_below(group, ranks);
  return group;
}

CollectiveTimer::CollectiveTimer(const Machine& given, const MachineScales& scales) : scales_(scales) {
  const Machine machine = completed(given);
  domain_ = scale_up_domain(machine);
  fabric_ = fabric_of(machine);
  scaled_fabric_ = fabric_;
  scaled_fabric_.link_gb_per_sec *= scales.link * std::min(1.0, machine.link_bandwidth_scale);
  machine_ = group_of(machine, fabric_, 1);
  calibration_ = calibration_of(machine);
}

CollectiveTimer CollectiveTimer::with_network(const Machine& given) const {
  CollectiveTimer timer(given, scales_);
  for (std::size_t place = 0; place < curved_.size(); ++place)
    if (!curved_[place].across) timer.curved_[place] = curved_[place];
  return timer;
}

double CollectiveTimer::time_us(Collective collective, const Ranks& ranks, double bytes) const {
  if (ranks.size <= 1 || bytes <= 0) return 0;
  Curved& known = curved_[place_of(collective, ranks)];
  if (known.bandwidth == 0 || known.collective != collective || known.ranks != ranks)
    known = curved(collective, ranks);
  if (known.bytes == bytes) return known.time_us;
  known.bytes = bytes;
  // Latency does not depend on the size, so a bandwidth f times as great takes as long as a message 1/f the
  // size, and latencies g times as great take g times as long as a message 1/g the size.
  known.time_us = scales_.latency * known.curve.time_us(bytes / (known.bandwidth * scales_.latency));
  return known.time_us;
}

std::size_t CollectiveTimer::place_of(Collective collective, const Ranks& ranks) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15;
  std::uint64_t hash = static_cast<std::uint64_t>(collective);
  for (const double part : {ranks.size, ranks.stride}) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &part, sizeof bits);
    hash = (hash ^ bits ^ bits >> 32) * golden;
  }
  return hash >> 60;
}

GpuGroup CollectiveTimer::placed(const Fabric& fabric, const Ranks& ranks, double within) const {
  GpuGroup group = machine_;
  group.fabric = &fabric;
  group.num_gpus = ranks.size;
  group.nodes = std::ceil(ranks.size / within);
  group.gpus_in_node = ranks.size / group.nodes;
  place_below(group, ranks);
  return group;
}

double CollectiveTimer::time_us(const Ranks& ranks, const TokenExchange& exchange) const {
  if (exchange.kernel == ExchangeKernel::nccl) {
    return time_us(Collective::all_to_all, ranks,
                   exchange.tokens * exchange.bytes_per_token * exchange.routing.experts_per_token);
  }
  GpuGroup group = placed(scaled_fabric_, ranks, ranks_in_domain(ranks, domain_));
  group.nic_gb_per_sec *= scales_.network * std::min(1.0, calibration_.network_scale) *
                          spine_share(group, Collective::all_to_all);
  ExchangeConstants constants = exchange_constants;
  constants.start_hopper_us *= scales_.latency;
  constants.start_blackwell_us *= scales_.latency;
  return exchange_us(group, exchange, constants);
}

CollectiveTimer::Curved CollectiveTimer::curved(Collective collective, const Ranks& ranks) const {
  Ranks calling = ranks;
  double within = ranks_in_domain(ranks, domain_);
  const bool pairs = collective == Collective::send_receive;
  if (pairs) {
    within = ranks.size * ranks.stride <= domain_ ? 2 : 1;
    calling.size = 2;
  }
  GpuGroup group = placed(fabric_, calling, within);
  // A line that does not fit below a border waits for the pair that straddles it.
  if (pairs) {
    double share = 1;
    for (const auto& [gpus, ratio] : group.borders)
      if (gpus > 0 && ranks.size * ranks.stride > gpus)
        share = std::min(share, line_share(ranks_in_domain(ranks, gpus), ratio));
    group.nic_gb_per_sec *= share;
    group.ranks_below = {};
  }
  const bool across = calling.size > within;
  return {collective, ranks, across ? scales_.network : scales_.link, across,
          fitted_curve(group, collective, calibration_).curve};
}

}  // namespace commcost
