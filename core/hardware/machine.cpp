#include "core/hardware/machine.h"

#include <algorithm>

#include "core/base/units.h"
#include "core/base/value.h"
#include "core/hardware/host_copy.h"

namespace commcost {
namespace {

constexpr double network_unknown_gb_per_sec = 25;
// Kept by driver, libraries and fragmentation. An estimate: CUDA context, NCCL buffers, allocator.
constexpr double memory_reserved_gib = 2;

}  // namespace

const Accelerator& accelerator_of(const Machine& machine) {
  return all_accelerators()[static_cast<std::size_t>(machine.accelerator)];
}

const System* usual_system(const Accelerator& accelerator) {
  // Cached: every step asks, and the rows never change.
  static const auto by_place = [] {
    std::vector<const System*> usual(all_accelerators().size());
    for (const System& system : all_systems()) {
      const System*& one =
          usual[static_cast<std::size_t>(find_accelerator(system.accelerator) - all_accelerators().data())];
      if (one == nullptr || system.nic_gb_per_sec > one->nic_gb_per_sec) one = &system;
    }
    return usual;
  }();
  return by_place[static_cast<std::size_t>(&accelerator - all_accelerators().data())];
}

Machine completed(Machine machine) {
  const Accelerator& accelerator = accelerator_of(machine);
  if (machine.bandwidth_gb_per_sec <= 0) machine.bandwidth_gb_per_sec = accelerator.fabric.link_gb_per_sec;
  if (machine.hbm_gb_per_sec <= 0) machine.hbm_gb_per_sec = accelerator.hbm_gb_per_sec;
  if (machine.host_gb_per_sec <= 0)
    machine.host_gb_per_sec = host_copy_rate(accelerator, nullptr, HostMemory::pinned).gb_per_sec;
  if (machine.peak_tflops <= 0) machine.peak_tflops = accelerator.peak_16_bits_tflops();
  if (machine.nic_gb_per_sec > 0 && machine.network >= 0) return machine;
  const System* usual = usual_system(accelerator);
  if (machine.nic_gb_per_sec <= 0) {
    const bool known = usual != nullptr && usual->nic_gb_per_sec > 0;
    machine.nic_gb_per_sec = known ? usual->nic_gb_per_sec : network_unknown_gb_per_sec;
  }
  if (machine.network < 0) {
    const bool known = usual != nullptr && usual->network.has_value();
    machine.network = static_cast<int>(known ? *usual->network : NetworkKind::infiniband);
  }
  return machine;
}

std::vector<Assumption> assumptions_of(const Machine& machine) {
  if (machine.nic_gb_per_sec > 0 && machine.network >= 0) return {};
  const System* usual = usual_system(accelerator_of(machine));
  const Machine whole = completed(machine);
  const std::string why = usual == nullptr ? "no system with this accelerator is known"
                                           : "as " + std::string(usual->name) + " has it";
  std::vector<Assumption> assumed;
  if (machine.nic_gb_per_sec <= 0) assumed.push_back({"nic_gb_per_sec", text_of(whole.nic_gb_per_sec), why});
  if (machine.network < 0)
    assumed.push_back(
        {"network", std::string(network_kind_names[static_cast<std::size_t>(whole.network)]), why});
  return assumed;
}

Fabric fabric_of(const Machine& machine) {
  Fabric fabric = accelerator_of(machine).fabric;
  // Sixteen V100s behind NVSwitch, the DGX-2: the one V100 machine whose links are switched.
  constexpr std::int64_t dgx2_gpus = 16;
  if (fabric.topology == Topology::cube_mesh && machine.gpus_per_node >= dgx2_gpus) {
    fabric.topology = Topology::switched;
    fabric.source = "NVIDIA DGX-2 data sheet: 16 V100, 12 NVSwitches, 6 links each";
  }
  if (machine.bandwidth_gb_per_sec > 0) fabric.link_gb_per_sec = machine.bandwidth_gb_per_sec;
  return fabric;
}

bool can_reduce_so(const Machine& machine) {
  return machine.in_network_reduction != SwitchReduction::on ||
         accelerator_of(machine).fabric.in_network_reduction;
}

Problem reduction_problem() {
  return {"in_network_reduction", ProblemCode::inconsistent,
          "in_network_reduction must not be on: the switches of this accelerator's nodes do not reduce",
          "usual or off"};
}

double scale_up_domain(const Machine& machine) {
  return scale_up_domain(accelerator_of(machine).fabric, static_cast<double>(machine.gpus_per_node));
}

NetworkBorders borders_of(const Machine& machine) {
  const auto rails = static_cast<double>(std::min(machine.rails, machine.gpus_per_node));
  const double pod = machine.pod_gpus * rails;
  const double superpod = machine.superpod_gpus > 0 ? std::max(machine.superpod_gpus, pod) : 0;
  const double of_pod = pod > 0 ? machine.oversubscription : 1;
  return {{{pod, of_pod}, {superpod, of_pod * machine.core_oversubscription}}};
}

double available_bytes(const Accelerator& accelerator) {
  // What vendors print as GB are GiB: nvidia-smi shows 81559 MiB of an 80 GB H100, 40960 of a 40 GB A100.
  return (accelerator.memory_gb - memory_reserved_gib) * gib;
}

void fill(Machine& machine, const System& system) {
  machine.accelerator = place_of_accelerator(system.accelerator);
  machine.gpus_per_node = system.gpus_per_node;
  machine.nic_gb_per_sec = system.nic_gb_per_sec;
  machine.network = system.network.has_value() ? static_cast<int>(*system.network) : -1;
  if (system.launch.has_value()) machine.launch = *system.launch;
  machine.pod_gpus = system.pod_gpus;
  machine.rails = system.rails;
  machine.oversubscription = system.oversubscription;
  machine.superpod_gpus = system.superpod_gpus;
  machine.core_oversubscription = system.core_oversubscription;
}

}  // namespace commcost
