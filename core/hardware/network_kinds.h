#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>

namespace commcost {

/// What joins the nodes: each kind has its own latency and share of the line rate.
enum class NetworkKind { infiniband, roce, slingshot, omnipath, efa, efa_v1, gpudirect_tcp, ici, ethernet };

/// A kind of network as it is called, and where it is described.
struct NetworkKindRow {
  std::string_view id;      ///< as it crosses the boundary
  std::string_view name;    ///< as written
  std::string_view source;  ///< where it is described
};

/// The kinds, in the enum's order.
inline constexpr NetworkKindRow network_kinds[] = {
    {"infiniband", "InfiniBand", "github.com/stas00/ml-engineering network/README.md @744d01e"},
    {"roce", "RoCE v2 (RDMA over Ethernet)", "github.com/stas00/ml-engineering network/README.md @744d01e"},
    {"slingshot", "HPE Slingshot 11", "github.com/olcf/olcf-user-docs @2745903"},
    {"omnipath", "Omni-Path", "github.com/bigscience-workshop/bigscience @00327f8"},
    {"efa", "AWS EFA, second generation and later",
     "github.com/stas00/ml-engineering network/README.md @744d01e"},
    {"efa_v1", "AWS EFA, 100 Gb/s ports (p4d, g4dn)",
     "github.com/stas00/ml-engineering network/README.md @744d01e"},
    {"gpudirect_tcp", "Google GPUDirect-TCPX and TCPXO",
     "github.com/stas00/ml-engineering network/README.md @744d01e"},
    {"ici", "Google ICI (the torus of a TPU pod)", "github.com/jax-ml/scaling-book tpus.md @0819a7d"},
    {"ethernet", "Ethernet through the host's TCP stack",
     "github.com/stas00/ml-engineering network/README.md @744d01e"},
};

/// The kinds' ids as they cross the boundary, in the enum's order.
inline constexpr auto network_kind_names = [] {
  std::array<std::string_view, std::size(network_kinds)> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = network_kinds[i].id;
  return names;
}();
static_assert(network_kind_names[static_cast<std::size_t>(NetworkKind::efa_v1)] == "efa_v1");
static_assert(network_kind_names.back() == "ethernet" &&
              network_kind_names.size() == static_cast<std::size_t>(NetworkKind::ethernet) + 1);

}  // namespace commcost
