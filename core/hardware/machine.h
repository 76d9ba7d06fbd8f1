#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/outcome.h"
#include "core/hardware/accelerators.h"
#include "core/hardware/launch.h"
#include "core/hardware/network_kinds.h"
#include "core/hardware/systems.h"

namespace commcost {

/// Whether the switches of a node reduce, as NVLink SHARP does.
enum class SwitchReduction {
  usual,  ///< where they can
  on,
  off,
};
inline constexpr std::string_view switch_reduction_names[] = {"usual", "on", "off"};

/// The accelerators and how they are joined; field names as they cross the boundary. 0 stands for the
/// accelerator's value, in nic_gb_per_sec and network for its usual system's: completed() fills it in.
struct Machine {
  int accelerator = 0;              ///< position in all_accelerators()
  std::int64_t gpus_per_node = 8;   ///< GPUs that share the scale-up link
  double nic_gb_per_sec = 0;        ///< network, one way, per GPU
  double bandwidth_gb_per_sec = 0;  ///< scale-up link, one way, per GPU
  double hbm_gb_per_sec = 0;        ///< memory
  double host_gb_per_sec = 0;       ///< copies from and to page-locked host memory, one way, per GPU
  double file_gb_per_sec = 0;       ///< reads of the node's drives, one way, per GPU; 0: not known
  double peak_tflops = 0;  ///< dense matrix peak in 16 bits, to which others keep the accelerator's ratio
  int network = -1;        ///< what joins the nodes: a NetworkKind; -1: not given
  Launch launch = Launch::process_per_gpu;  ///< who launches collectives
  SwitchReduction in_network_reduction = SwitchReduction::usual;
  double latency_scale = 1;            ///< Calibration of its collectives by its own log
  double bandwidth_scale = 1;          ///< the same
  double link_bandwidth_scale = 1;     ///< the same, of those within a scale-up domain alone
  double network_bandwidth_scale = 1;  ///< of those that span several
  double pod_gpus = 0;                 ///< GPUs whose cards one leaf or pod joins at full rate; 0: all
  std::int64_t rails = 1;              ///< such leaves that the cards of a node are spread over
  double oversubscription = 1;         ///< rate into a leaf or pod over its rate to the spine, >= 1
  double superpod_gpus = 0;            ///< GPUs whose pods one group of spines joins; 0: all
  double core_oversubscription = 1;    ///< rate into such spines over their rate to the core, >= 1

  bool operator==(const Machine&) const = default;
};

/// Factors on a machine, 1 as it is: what elasticities, what-if curves and fits vary.
struct MachineScales {
  double link = 1;          ///< scale-up bandwidth
  double network = 1;       ///< bandwidth between nodes
  double latency = 1;       ///< of every collective
  double matmul = 1;        ///< achievable FLOP rate
  double hbm = 1;           ///< memory bandwidth
  double launch = 1;        ///< launches a second
  double overlap = 1;       ///< share of communication that can be hidden
  double power = 1;         ///< that products draw
  double data_overlap = 1;  ///< share of gradient traffic that can be hidden

  bool operator==(const MachineScales&) const = default;
};

/// The accelerator of a machine.
const Accelerator& accelerator_of(const Machine& machine);

/// The system assumed for a machine whose network is not given: that of its accelerator with the largest
/// network; null if none is known.
const System* usual_system(const Accelerator& accelerator);

/// The machine with zeros replaced by what its accelerator and usual system have.
Machine completed(Machine machine);

/// An assumption about a machine.
struct Assumption {
  std::string_view field;  ///< the input that would state it
  std::string value;       ///< the assumed value
  std::string why;         ///< the system that it is taken from
};

/// What completed() takes from the usual system.
std::vector<Assumption> assumptions_of(const Machine& machine);

/// Its fabric, with the machine's link rate.
Fabric fabric_of(const Machine& machine);

/// Whether its switches support what it asks for.
bool can_reduce_so(const Machine& machine);
/// The problem if they do not.
Problem reduction_problem();

/// GPUs that a machine's scale-up links join: a node, or the rack where that is one domain.
double scale_up_domain(const Machine& machine);

/// A border of the network between nodes: what leaves a pod for the spine, or spines for the core.
struct NetworkBorder {
  double gpus_below = 0;        ///< that reach each other without passing it; 0: all
  double oversubscription = 1;  ///< the cards' rate below it over what passes it, >= 1

  bool operator==(const NetworkBorder&) const = default;
};
using NetworkBorders = std::array<NetworkBorder, 2>;

/// Its borders from the nodes outwards. With rails, a pod has as many times more nodes as their cards are
/// spread over leaves; traffic that passes a border has passed those below it, so their ratios multiply.
NetworkBorders borders_of(const Machine& machine);

/// Memory of an accelerator available to a job, bytes: all but what driver and libraries keep.
double available_bytes(const Accelerator& accelerator);

/// Puts a system into a machine: accelerator, node, network.
void fill(Machine& machine, const System& system);

}  // namespace commcost
