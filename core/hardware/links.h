#pragma once

#include <span>
#include <string_view>

namespace commcost {

/// Where a link is used: between the GPUs of a node, through the host, or between nodes.
enum class LinkClass { scale_up, host, network };

/// The classes' names, in their order.
inline constexpr std::string_view link_class_names[] = {"scale_up", "host", "network"};

/// A link of one accelerator: all lanes together, one direction.
struct Link {
  std::string_view id;          ///< as in links and calls, such as "nvlink4"
  std::string_view name;        ///< as written
  LinkClass link_class;         ///< where it is used
  double bandwidth_gb_per_sec;  ///< one way, per accelerator, GB/s
  std::string_view made_of;     ///< how that figure is made up, such as "18 x 25 GB/s"
  std::string_view source;      ///< where the figure comes from
};

/// Every link, by class and age.
std::span<const Link> all_links();

/// The link of that id, or null.
const Link* find_link(std::string_view id);

}  // namespace commcost
