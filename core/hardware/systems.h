#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "core/hardware/launch.h"
#include "core/hardware/network_kinds.h"

namespace commcost {

/// A machine as it is sold or rented: what a node contains, and how nodes are joined. 0 and empty: not
/// published.
struct System {
  std::string_view id;                      ///< as in links and calls, such as "dgx-h100"
  std::string_view name;                    ///< as written
  std::string_view accelerator;             ///< id of its accelerator
  int gpus_per_node;                        ///< accelerators in one scale-up domain
  int gpus_per_host = 0;                    ///< accelerators of one host; 0: gpus_per_node
  double nic_gb_per_sec;                    ///< network, one way, per accelerator, GB/s; 0: a single node
  std::string_view nics;                    ///< how that figure is made up
  std::optional<NetworkKind> network = {};  ///< what joins the nodes; none: not stated
  std::optional<Launch> launch = {};        ///< how jobs are usually started; none: not stated
  int pod_gpus = 0;             ///< GPUs whose cards one leaf or pod joins at full rate; 0: not stated, all
  int rails = 1;                ///< such leaves that the cards of a node are spread over
  double oversubscription = 1;  ///< rate into a pod over its rate to the spine
  int superpod_gpus = 0;        ///< GPUs whose pods one group of spines joins; 0: not stated, all
  double core_oversubscription = 1;   ///< rate into such spines over their rate to the core
  int nodes = 0;                      ///< of the whole machine
  std::string_view cpu = "";          ///< of a node
  int cpu_sockets = 0;                ///< of a node
  int nvlinks_per_peer = 0;           ///< from one GPU to each other of its node; 0 where a switch joins them
  double pinned_copy_gb_per_sec = 0;  ///< host to GPU from pinned memory, measured
  double pageable_copy_gb_per_sec = 0;  ///< host to GPU from pageable memory, measured
  double peer_to_peer_gb_per_sec = 0;   ///< one GPU to another of its node, one way, measured
  std::string_view source;              ///< where the figures come from
};

/// How many systems there are, and their ids in the order of all_systems().
inline constexpr std::size_t system_count = 45;
extern const std::array<std::string_view, system_count> system_ids;

/// Every system, by accelerator.
std::span<const System> all_systems();

/// The system of that id, or null.
const System* find_system(std::string_view id);

}  // namespace commcost
