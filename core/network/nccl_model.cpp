#include "core/network/nccl_model.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace commcost {
namespace {

using enum NcclAlgorithm;
using enum NcclProtocol;

// The factors of src/graph/tuning.cc, lines 299-412, at the same commit as the tables.
constexpr double ring_ll128_share = 0.92;
constexpr double tree_share = 0.92;
constexpr double tree_ll_divisor = 3.8;
constexpr double pat_share = 0.75;
constexpr double collnet_hopper_share = 0.85;
constexpr double overhead_us = 1.0;
constexpr double line_rate_share = 0.96;  // the search speed below a NIC's rate: 48 for 50 GB/s, 24 for 25

std::size_t at(NcclAlgorithm algorithm) {
  return static_cast<std::size_t>(algorithm);
}
std::size_t at(NcclProtocol protocol) {
  return static_cast<std::size_t>(protocol);
}

const NcclBox* box_of(const GpuGroup& group) {
  for (const NcclBox& box : nccl_boxes()) {
    if (box.fabric_class == group.fabric->fabric_class && box.topology == group.fabric->topology) return &box;
  }
  return nullptr;
}

int floor_of_log2(double value) {
  return value < 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value))) - 1;
}

struct Graph {
  double channels;
  double inside;   // GB/s a channel
  double outside;  // GB/s a channel
};

Graph ring_graph(const GpuGroup& group, const NcclBox& box) {
  Graph graph{box.ring_channels, box.ring_channel, box.ring_channel};
  const double gpus = group.gpus_in_node;
  if (box.topology == Topology::cube_mesh && !group.quad) {
    constexpr double rings[] = {1, 1, 1, 2, 4, 1, 2, 4, 6};
    graph.channels = rings[static_cast<std::size_t>(std::clamp(gpus, 1.0, 8.0))];
  } else if (group.quad || box.topology == Topology::mesh) {
    graph.channels = std::max(1.0, box.ring_channels * std::min(1.0, (gpus - 1) / 3));
  }
  if (group.fabric->link_gb_per_sec < 20 && box.topology == Topology::host) graph.inside = 12;
  if (group.spans_nodes()) {
    const double nics = gpus * group.nic_gb_per_sec * line_rate_share;
    graph.outside = std::min(graph.inside, nics / graph.channels);
    if (gpus <= 1) graph.inside = graph.outside;
  }
  return graph;
}

}  // namespace

double NcclModel::time_us(NcclAlgorithm algorithm, NcclProtocol protocol, double message_size_bytes) const {
  double bandwidth = bandwidth_gb_per_sec[at(algorithm)][at(protocol)];
  double latency = latency_us[at(algorithm)][at(protocol)];
  if (bandwidth <= 0) return std::numeric_limits<double>::infinity();
  if (all_reduce && algorithm == tree) {
    const int step = floor_of_log2(message_size_bytes / 64);
    if (message_size_bytes >= 64 && step < 23) {
      bandwidth *= nccl_tree_correction(protocol)[static_cast<std::size_t>(step)];
    }
  }
  if (all_reduce && algorithm == ring && protocol == simple && several_nodes &&
      message_size_bytes / (channels * ranks) >= 64) {
    latency *= plateau_factor;
  }
  return latency + message_size_bytes / (1e3 * bandwidth);
}

NcclChoice NcclModel::choice(double message_size_bytes) const {
  NcclChoice best{ring, ll, std::numeric_limits<double>::infinity()};
  for (std::size_t a = 0; a < nccl_algorithms; ++a) {
    for (std::size_t p = 0; p < nccl_protocols; ++p) {
      const auto algorithm = static_cast<NcclAlgorithm>(a);
      const auto protocol = static_cast<NcclProtocol>(p);
      const double time = time_us(algorithm, protocol, message_size_bytes);
      if (time < best.time_us) best = {algorithm, protocol, time};
    }
  }
  return best;
}

std::vector<NcclSwitch> NcclModel::switches() const {
  std::vector<NcclSwitch> rows;
  if (!known) return rows;
  for (int power = 0; power <= 34; ++power) {
    const double size = static_cast<double>(std::uint64_t{1} << power);
    const NcclChoice picked = choice(size);
    if (rows.empty() || rows.back().algorithm != picked.algorithm ||
        rows.back().protocol != picked.protocol) {
      rows.push_back({size, picked.algorithm, picked.protocol});
    }
  }
  return rows;
}

NcclModel nccl_model(const GpuGroup& group, Collective collective, bool collnet) {
  NcclModel model;
  const NcclBox* box = box_of(group);
  const double n = group.num_gpus;
  const bool all_reduce = collective == Collective::all_reduce;
  const bool one_round = collective == Collective::all_gather || collective == Collective::reduce_scatter;
  const bool rooted = collective == Collective::broadcast || collective == Collective::reduce;
  if (box == nullptr || n <= 1 || !(all_reduce || one_round || rooted)) return model;

  const NcclGeneration& generation = nccl_generations()[static_cast<std::size_t>(box->generation)];
  const double nodes = group.nodes;
  const double ppn = group.gpus_in_node;
  const std::size_t span = nodes <= 1 ? 0 : nodes <= 2 ? 1 : 2;
  const Graph graph = ring_graph(group, *box);
  const double steps = all_reduce ? 2 * (n - 1) : one_round ? n - 1 : n;
  const double crossings = nodes <= 1 ? 0 : all_reduce ? 2 * (nodes - 1) : nodes - 1;
  const double bus = graph.channels * (nodes <= 2 ? graph.inside : graph.outside);
  const double ll_cap =
      nodes <= 1 ? generation.ll_cap[0] : nccl_generations()[box->amd_cpu ? 1 : 0].ll_cap[span];
  const bool hopper = box->generation >= 2;

  model.known = true;
  model.all_reduce = all_reduce;
  model.several_nodes = nodes > 1;
  model.ranks = n;
  model.channels = graph.channels;
  model.plateau_factor = generation.plateau_factor;
  const PerAlgorithm& base = nccl_base_latency();
  const PerAlgorithm& inside = box->direct_nvlink ? nccl_nvlink_latency() : nccl_pci_latency();
  const PerAlgorithm& net = nccl_net_latency();
  const auto offer = [&](NcclAlgorithm algorithm, NcclProtocol protocol, double latency, double bandwidth) {
    model.latency_us[at(algorithm)][at(protocol)] = latency;
    model.bandwidth_gb_per_sec[at(algorithm)][at(protocol)] = bandwidth;
  };
  // The network's step; a tree's where each node holds one GPU.
  const auto crossing = [&](NcclAlgorithm algorithm, NcclProtocol protocol) {
    return net[at(ppn <= 1 ? tree : algorithm)][at(protocol)];
  };

  for (const NcclProtocol protocol : {ll, ll128, simple}) {
    const double over = nodes <= 1 ? 0 : protocol == simple ? 3 * overhead_us : overhead_us;
    const double step = std::max(inside[at(ring)][at(protocol)], over);
    double rate = bus;
    if (protocol == ll) rate = std::min(ll_cap, bus / 2);
    if (protocol == ll128) {
      rate = std::min(ring_ll128_share * bus, graph.channels * generation.ring_ll128_channel[span]);
    }
    double latency = base[at(ring)][at(protocol)];
    if (rooted) {
      latency += protocol == simple ? inside[at(tree)][at(protocol)] : step;
    } else {
      latency += (steps - crossings) * step + crossings * crossing(ring, protocol);
    }
    if (protocol == ll128 && !box->direct_nvlink) continue;  // needs NVLink all the way
    offer(ring, protocol, latency, rate * n / steps);
  }

  if (all_reduce) {
    for (const NcclProtocol protocol : {ll, ll128, simple}) {
      if (protocol == ll128 && !box->direct_nvlink) continue;
      const double full = std::min(tree_share * bus, graph.channels * generation.tree_channel[span]);
      double rate = full;
      if (protocol == ll) rate = std::min(full / tree_ll_divisor, ll_cap);
      if (protocol == ll128) {
        const double payload = nodes <= 1 ? 7.0 / 9.0 : 120.0 / 128.0;
        rate = std::min(full * payload, graph.channels * generation.tree_ll128_channel[span]);
      }
      const double doublings = floor_of_log2(nodes);
      const double latency = base[at(tree)][at(protocol)] + 2 * ((ppn - 1) * inside[at(tree)][at(protocol)] +
                                                                 doublings * crossing(tree, protocol));
      offer(tree, protocol, latency, rate / 2);
    }
  }

  if (group.in_network && box->nvls_channel > 0 && ppn >= 2 && (nodes <= 1 || all_reduce) && !rooted) {
    // A head's GPU passes its own link twice, the other GPUs once: (heads + 1) shares of the link at most.
    const double heads = ppn;
    const double fits = box->link_class / (heads + 1);
    const double speed =
        fits >= 2 * box->nvls_channel ? 2 * box->nvls_channel : std::min(box->nvls_channel, fits);
    double channel = speed * generation.nvls_efficiency * (heads - 1) / heads;
    channel *= all_reduce ? 2 : (ppn - 1) / ppn;
    const double nic = group.nic_gb_per_sec * line_rate_share;
    if (nodes <= 1) {
      const double head_cap = box->generation == 3 ? 90 : 60;  // the graph's own speed between nodes
      channel = std::min(channel, head_cap);
      const double rate = heads * channel;
      offer(nvls, simple, inside[at(nvls)][at(simple)], all_reduce ? rate * n / steps : rate);
    } else {
      channel = std::min({channel, nodes <= 2 ? 2 * nic : nic, generation.nvls_tree_channel[span]});
      const double latency =
          inside[at(nvls_tree)][at(simple)] + 2 * floor_of_log2(nodes) * net[at(nvls_tree)][at(simple)];
      offer(nvls_tree, simple, latency, heads * channel * n / steps);
    }
  }

  if (one_round && nodes > 1 && ppn <= 1) {
    const double latency =
        base[at(pat)][at(simple)] + floor_of_log2(nodes) * net[at(pat)][at(simple)] / 3.5 + 2.8 * n;
    offer(pat, simple, latency, pat_share * bus);
  }

  if (collnet && nodes > 1 && all_reduce) {
    const double whole = graph.channels * graph.inside;
    const double fan = ppn / graph.channels;
    const double direct = whole / (fan - (fan - 1) / 2) * (hopper ? collnet_hopper_share : 1);
    const double one = std::min(1.0, ppn - 1);
    const double direct_latency = 2 * (one * inside[at(collnet_direct)][at(simple)] + 0.4 * (ppn - 1)) +
                                  net[at(collnet_direct)][at(simple)];
    offer(collnet_direct, simple, direct_latency, std::min(direct, 2 * ppn * group.nic_gb_per_sec) / 2);
    const double chain_latency =
        2 * (ppn - 1) * inside[at(collnet_chain)][at(simple)] + net[at(collnet_chain)][at(simple)];
    offer(collnet_chain, simple, chain_latency, std::min(whole, 2 * ppn * group.nic_gb_per_sec) / 2);
  }
  if (collnet && nodes > 1 && one_round) {
    const double latency =
        2 * (std::min(1.0, ppn - 1) * inside[at(collnet_direct)][at(simple)] + 0.4 * (ppn - 1)) +
        net[at(collnet_direct)][at(simple)];
    offer(collnet_direct, simple, latency, ppn * std::min(graph.inside, 0.9 * group.nic_gb_per_sec));
  }
  return model;
}

}  // namespace commcost
