#pragma once

#include <span>
#include <string_view>

namespace commcost {

/// A machine as it is bought or booked: what is in a node, and how nodes are joined.
struct System {
  std::string_view id;           ///< as in links and calls, such as "dgx-h100"
  std::string_view name;         ///< as written
  std::string_view accelerator;  ///< id of its accelerator
  int gpus_per_node;             ///< accelerators in one scale-up domain
  double nic_gb_per_sec;         ///< network, one way, per accelerator, GB/s; 0: a single node
  std::string_view network;      ///< how that figure comes about
  std::string_view source;       ///< where the figures come from
};

/// Every system, by accelerator.
std::span<const System> all_systems();

/// The system of that id, or null.
const System* find_system(std::string_view id);

}  // namespace commcost
