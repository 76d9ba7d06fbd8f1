#include "core/network/nccl_model.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/collective/bus_bandwidth.h"
#include "core/network/doublings.h"
#include "core/network/line_rate.h"

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
constexpr int hopper = 2;                 // of nccl_generations()
constexpr int blackwell = 3;              // the same
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

double whole_doublings(double value) {
  return value < 1 ? 0 : std::floor(doublings(value));
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
    graph.channels = std::max(1.0, std::floor(cube_mesh_rings(gpus)));
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

/// Collects what NCCL offers for a collective on a group, one algorithm after the other.
class Offers {
 public:
  Offers(const GpuGroup& group, Collective collective, const NcclBox& box)
      : group_(group),
        box_(box),
        generation_(nccl_generations()[static_cast<std::size_t>(box.generation)]),
        graph_(ring_graph(group, box)),
        inside_(box.direct_nvlink ? nccl_nvlink_latency() : nccl_pci_latency()),
        span_(group.nodes <= 1   ? 0
              : group.nodes <= 2 ? 1
                                 : 2),
        all_reduce_(collective == Collective::all_reduce),
        rooted_(collective == Collective::broadcast || collective == Collective::reduce),
        steps_(ring_blocks(collective, group.num_gpus)),
        bus_(graph_.channels * (group.nodes <= 2 ? graph_.inside : graph_.outside)) {
    model_.known = true;
    model_.all_reduce = all_reduce_;
    model_.several_nodes = group.spans_nodes();
    model_.ranks = group.num_gpus;
    model_.channels = graph_.channels;
    model_.plateau_factor = generation_.plateau_factor;
  }

  const NcclModel& model() const { return model_; }

  void add_ring() {
    const double crossings = group_.spans_nodes() ? (all_reduce_ ? 2 : 1) * (group_.nodes - 1) : 0;
    for (const NcclProtocol protocol : protocols()) {
      const double over = !group_.spans_nodes() ? 0 : protocol == simple ? 3 * overhead_us : overhead_us;
      const double step = std::max(inside_[at(ring)][at(protocol)], over);
      double latency = nccl_base_latency()[at(ring)][at(protocol)];
      if (rooted_) {
        latency += protocol == simple ? inside_[at(tree)][at(protocol)] : step;
      } else {
        latency += (steps_ - crossings) * step + crossings * crossing(ring, protocol);
      }
      offer(ring, protocol, latency, ring_bus(protocol) * group_.num_gpus / steps_);
    }
  }

  void add_tree() {
    for (const NcclProtocol protocol : protocols()) {
      const double within = (group_.gpus_in_node - 1) * inside_[at(tree)][at(protocol)];
      const double between = whole_doublings(group_.nodes) * crossing(tree, protocol);
      const double latency = nccl_base_latency()[at(tree)][at(protocol)] + 2 * (within + between);
      offer(tree, protocol, latency, tree_bus(protocol) / 2);
    }
  }

  /// Reduction in the node's switches; between nodes as a tree of them.
  void add_nvls() {
    const double heads = group_.gpus_in_node;
    if (!group_.spans_nodes()) {
      const double head_cap = box_.generation == blackwell ? 90 : 60;  // the graph's own speed between nodes
      const double rate = heads * std::min(nvls_channel(), head_cap);
      offer(nvls, simple, inside_[at(nvls)][at(simple)],
            all_reduce_ ? rate * group_.num_gpus / steps_ : rate);
      return;
    }
    const double nic = group_.nic_gb_per_sec * line_rate_share;
    const double channel =
        std::min({nvls_channel(), group_.nodes <= 2 ? 2 * nic : nic, generation_.nvls_tree_channel[span_]});
    const double latency = inside_[at(nvls_tree)][at(simple)] +
                           2 * whole_doublings(group_.nodes) * nccl_net_latency()[at(nvls_tree)][at(simple)];
    offer(nvls_tree, simple, latency, heads * channel * group_.num_gpus / steps_);
  }

  void add_pat() {
    const double latency = nccl_base_latency()[at(pat)][at(simple)] +
                           whole_doublings(group_.nodes) * nccl_net_latency()[at(pat)][at(simple)] / 3.5 +
                           2.8 * group_.num_gpus;
    offer(pat, simple, latency, pat_share * bus_);
  }

  /// Reduction in the network's switches (SHARP).
  void add_collnet() {
    const double peers = group_.gpus_in_node - 1;
    const double direct_latency =
        2 * (std::min(1.0, peers) * inside_[at(collnet_direct)][at(simple)] + 0.4 * peers) +
        nccl_net_latency()[at(collnet_direct)][at(simple)];
    if (!all_reduce_) {
      offer(collnet_direct, simple, direct_latency,
            group_.gpus_in_node * std::min(graph_.inside, 0.9 * group_.nic_gb_per_sec));
      return;
    }
    const double whole = graph_.channels * graph_.inside;
    const double fan = group_.gpus_in_node / graph_.channels;
    const double direct =
        whole / (fan - (fan - 1) / 2) * (box_.generation >= hopper ? collnet_hopper_share : 1);
    const double nics = 2 * group_.gpus_in_node * group_.nic_gb_per_sec;
    offer(collnet_direct, simple, direct_latency, std::min(direct, nics) / 2);
    const double chain_latency = 2 * peers * inside_[at(collnet_chain)][at(simple)] +
                                 nccl_net_latency()[at(collnet_chain)][at(simple)];
    offer(collnet_chain, simple, chain_latency, std::min(whole, nics) / 2);
  }

 private:
  void offer(NcclAlgorithm algorithm, NcclProtocol protocol, double latency_us, double gb_per_sec) {
    model_.latency_us[at(algorithm)][at(protocol)] = latency_us;
    model_.bandwidth_gb_per_sec[at(algorithm)][at(protocol)] = gb_per_sec;
  }

  /// LL128 needs NVLink all the way.
  std::vector<NcclProtocol> protocols() const {
    if (box_.direct_nvlink) return {ll, ll128, simple};
    return {ll, simple};
  }

  /// The network's step; a tree's where each node holds one GPU.
  double crossing(NcclAlgorithm algorithm, NcclProtocol protocol) const {
    return nccl_net_latency()[at(group_.gpus_in_node <= 1 ? tree : algorithm)][at(protocol)];
  }

  /// On the total bus bandwidth of LL; across nodes the processor's generation decides.
  double ll_cap() const {
    return group_.spans_nodes() ? nccl_generations()[box_.amd_cpu ? 1 : 0].ll_cap[span_]
                                : generation_.ll_cap[0];
  }

  double ring_bus(NcclProtocol protocol) const {
    if (protocol == ll) return std::min(ll_cap(), bus_ / 2);
    if (protocol == simple) return bus_;
    return std::min(ring_ll128_share * bus_, graph_.channels * generation_.ring_ll128_channel[span_]);
  }

  double tree_bus(NcclProtocol protocol) const {
    const double full = std::min(tree_share * bus_, graph_.channels * generation_.tree_channel[span_]);
    if (protocol == ll) return std::min(full / tree_ll_divisor, ll_cap());
    if (protocol == simple) return full;
    const double payload = group_.spans_nodes() ? 120.0 / 128.0 : 7.0 / 9.0;
    return std::min(full * payload, graph_.channels * generation_.tree_ll128_channel[span_]);
  }

  /// A head's GPU uses its own link twice, the other GPUs once: (heads + 1) shares of the link at most.
  double nvls_channel() const {
    const double heads = group_.gpus_in_node;
    const double fits = box_.link_class / (heads + 1);
    const double speed =
        fits >= 2 * box_.nvls_channel ? 2 * box_.nvls_channel : std::min(box_.nvls_channel, fits);
    const double channel = speed * generation_.nvls_efficiency * (heads - 1) / heads;
    return channel * (all_reduce_ ? 2 : (heads - 1) / heads);
  }

  const GpuGroup& group_;
  const NcclBox& box_;
  const NcclGeneration& generation_;
  Graph graph_;
  const PerAlgorithm& inside_;  ///< latencies of a step within a node
  std::size_t span_;            ///< one node, two, or more
  bool all_reduce_;
  bool rooted_;
  double steps_;  ///< of a ring
  double bus_;    ///< bus bandwidth of rings and trees
  NcclModel model_;
};

}  // namespace

double NcclModel::time_us(NcclAlgorithm algorithm, NcclProtocol protocol, double message_size_bytes) const {
  double bandwidth = bandwidth_gb_per_sec[at(algorithm)][at(protocol)];
  double latency = latency_us[at(algorithm)][at(protocol)];
  if (bandwidth <= 0) return std::numeric_limits<double>::infinity();
  if (all_reduce && algorithm == tree) {
    const double step = whole_doublings(message_size_bytes / 64);
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
  const NcclBox* box = box_of(group);
  const bool all_reduce = collective == Collective::all_reduce;
  const bool one_pass = collective == Collective::all_gather || collective == Collective::reduce_scatter;
  const bool rooted = collective == Collective::broadcast || collective == Collective::reduce;
  if (box == nullptr || group.num_gpus <= 1 || !(all_reduce || one_pass || rooted)) return {};
  const bool spans = group.spans_nodes();
  Offers offers(group, collective, *box);
  offers.add_ring();
  if (all_reduce) offers.add_tree();
  const bool reduces = group.in_network && box->nvls_channel > 0 && group.gpus_in_node >= 2;
  if (reduces && !rooted && (!spans || all_reduce)) offers.add_nvls();
  if (one_pass && spans && group.gpus_in_node <= 1) offers.add_pat();
  if (collnet && spans && !rooted) offers.add_collnet();
  return offers.model();
}

}  // namespace commcost
