#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "core/hardware/accelerators.h"

namespace commcost {

/// NCCL's algorithms, in the order of its tables.
enum class NcclAlgorithm { tree, ring, collnet_direct, collnet_chain, nvls, nvls_tree, pat };

/// The algorithms' names as they cross the boundary.
inline constexpr std::string_view nccl_algorithm_names[] = {
    "tree", "ring", "collnet_direct", "collnet_chain", "nvls", "nvls_tree", "pat"};

/// NCCL's protocols: flags within 8 bytes, within 128-byte lines, or plain copies with a fence.
enum class NcclProtocol { ll, ll128, simple };

/// The protocols' names as NCCL writes them.
inline constexpr std::string_view nccl_protocol_names[] = {"LL", "LL128", "Simple"};

/// The name as it crosses the boundary.
constexpr std::string_view name_of(NcclAlgorithm algorithm) {
  return nccl_algorithm_names[static_cast<std::size_t>(algorithm)];
}

/// The name as NCCL writes it.
constexpr std::string_view name_of(NcclProtocol protocol) {
  return nccl_protocol_names[static_cast<std::size_t>(protocol)];
}

inline constexpr std::size_t nccl_algorithms = std::size(nccl_algorithm_names);
inline constexpr std::size_t nccl_protocols = std::size(nccl_protocol_names);

/// A figure for each protocol; negative where the algorithm has no such protocol.
using PerProtocol = std::array<double, nccl_protocols>;
/// A figure for one node, two nodes, and more.
using PerSpan = std::array<double, 3>;
/// A figure for each algorithm and protocol.
using PerAlgorithm = std::array<PerProtocol, nccl_algorithms>;

/// The constants of one GPU generation in NCCL's tuning model, GB/s.
struct NcclGeneration {
  std::string_view name;
  PerSpan ll_cap;              ///< on the total bus bandwidth of LL
  PerSpan ring_ll128_channel;  ///< a channel's, ring under LL128
  PerSpan tree_ll128_channel;  ///< a channel's, tree under LL128
  PerSpan tree_channel;        ///< a channel's, tree under any protocol
  PerSpan nvls_tree_channel;   ///< a channel's, NVLS tree
  double nvls_efficiency;      ///< of NVLS over the graph's rate
  double plateau_factor;       ///< on the latency of a large ring Simple all-reduce across nodes
};

/// What NCCL's search finds in a box: channels and the rate of each.
struct NcclBox {
  FabricClass fabric_class;
  Topology topology;     ///< host boxes differ from switched ones of the same class
  int generation;        ///< index into nccl_generations()
  double link_class;     ///< GB/s of all links, as NCCL counts them
  double ring_channels;  ///< of the search graph with all GPUs of the node
  double ring_channel;   ///< GB/s of each
  double nvls_channel;   ///< GB/s of each NVLS head with eight GPUs; 0: none
  bool amd_cpu;          ///< which row caps LL across nodes
  bool direct_nvlink;    ///< latencies of NVLink, else of PCI
  std::string_view source;
};

/// Start of a collective, us.
const PerAlgorithm& nccl_base_latency();
/// A step within a node over NVLink, within a node over PCI, and between nodes, us.
const PerAlgorithm& nccl_nvlink_latency();
const PerAlgorithm& nccl_pci_latency();
const PerAlgorithm& nccl_net_latency();
/// The correction of a tree's bandwidth by floor(log2(bytes / 64)), 24 entries.
std::span<const double> nccl_tree_correction(NcclProtocol protocol);
/// Volta, Ampere, Hopper, Blackwell.
std::span<const NcclGeneration> nccl_generations();
/// The boxes that the model knows; all from NCCL 2.30.7, commit 5067397.
std::span<const NcclBox> nccl_boxes();

}  // namespace commcost
