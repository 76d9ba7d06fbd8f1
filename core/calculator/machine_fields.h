#pragma once

#include "core/base/result.h"
#include "core/calculator/common_fields.h"
#include "core/calculator/filled_fields.h"
#include "core/calculator/job_part.h"
#include "core/hardware/accelerator_rows.h"
#include "core/hardware/launch.h"
#include "core/hardware/machine.h"
#include "core/hardware/network_kinds.h"
#include "core/hardware/systems.h"

// The accelerators and how they are joined: the inputs that every calculation on hardware shares, with the
// preset that fills them.
namespace commcost {

namespace detail {

inline void fill_system(void* machine, std::size_t system) {
  fill(*static_cast<Machine*>(machine), all_systems()[system]);
}

inline void fill_accelerator(void* machine, std::size_t accelerator) {
  Machine& rates = *static_cast<Machine*>(machine);
  rates.accelerator = static_cast<int>(accelerator);
  rates = completed(rates);
}

/// The accelerator of the exercise's 300 GB/s.
inline constexpr double usual_accelerator = [] {
  double at = 0;
  while (accelerator_ids[static_cast<std::size_t>(at)] != "a100-sxm-80gb") ++at;
  return at;
}();

}  // namespace detail

inline constexpr InputField system_field[] = {
    preset<detail::fill_system>(
        "system", system_ids,
        "System, an id in hardware_catalog; fills in accelerator, node and network where they are not given")
        .labelled("Machine")};

/// An accelerator by itself fills in its rates.
inline constexpr InputField accelerator_preset[] = {preset<detail::fill_accelerator>(
    "accelerator", accelerator_ids,
    "Accelerator, an id in hardware_catalog; fills in its rates where they are not given")};

/// Those that a system fills.
inline constexpr auto system_machine_fields = of_group(
    "machine",
    filled_by(
        "system",
        {
            choice<&Machine::accelerator>(accelerator_ids, accelerator_preset[0].field.help)
                .labelled("GPU")
                .or_default(detail::usual_accelerator),
            whole<&Machine::gpus_per_node>(
                1, 1048576,
                "GPUs per node: those joined by the scale-up links; for a TPU, the chips of a slice")
                .labelled("GPUs per node")
                .or_default(8),
            real<&Machine::nic_gb_per_sec>(
                0, 1e6, "Network bandwidth between nodes, one way, per GPU; 0: usual for the accelerator")
                .labelled("Network bandwidth")
                .shown()
                .of_links()
                .or_default(0),
            choice<&Machine::network>(network_kind_names,
                                      "Kind of network between nodes; not given: usual for the accelerator")
                .optional(),
            choice<&Machine::launch>(
                launch_names,
                "Launch mode of collectives: a process or a thread for each GPU, or one thread for all")
                .labelled("Processes")
                .or_default(0),
        }));

/// Those that the accelerator fills.
inline constexpr auto rate_fields = of_group(
    "machine",
    filled_by("accelerator",
              {
                  real<&Machine::bandwidth_gb_per_sec>(
                      0, 1e9, "Bandwidth of a GPU's scale-up links, one way; 0: the accelerator's")
                      .labelled("Link bandwidth")
                      .shown()
                      .of_links()
                      .or_default(0),
                  real<&Machine::hbm_gb_per_sec>(0, 1e9, "Memory bandwidth of a GPU; 0: the accelerator's")
                      .labelled("Memory bandwidth")
                      .or_default(0),
                  real<&Machine::peak_tflops>(0, 1e9,
                                              "Dense matrix peak of a GPU in 16 bits; other precisions scale "
                                              "with it as on the accelerator; 0: the accelerator's")
                      .labelled("Peak matrix rate")
                      .or_default(0),
              }));

/// What the switches of its nodes do.
inline constexpr InputField switch_fields[] = {
    choice<&Machine::in_network_reduction>(
        switch_reduction_names, "Whether the node's switches reduce (NVLink SHARP); usual: where they can")
        .labelled("In-network reduction")
        .of_group("machine")
        .or_default(0),
};

/// How fast copies to the host are; needed by a step that keeps something there.
inline constexpr InputField host_fields[] = {
    real<&Machine::host_gb_per_sec>(0, 1e9,
                                    "Bandwidth of copies between a GPU and page-locked host memory, one way; "
                                    "0: derived from the accelerator's link to the host")
        .labelled("Host copy bandwidth")
        .of_links()
        .of_group("machine")
        .or_default(0),
};

/// How fast files are read.
inline constexpr InputField file_fields[] = {
    real<&Machine::file_gb_per_sec>(0, 1e9,
                                    "Bandwidth of reading the node's drives (NVMe), each GPU's share, one "
                                    "way; 0: not known")
        .labelled("File bandwidth")
        .of_links()
        .of_group("machine")
        .or_default(0),
};

/// How its network's leaves, pods and spine are put together.
inline constexpr auto spine_fields = of_group(
    "machine",
    filled_by(
        "system",
        {
            whole<&Machine::pod_gpus>(
                0, 1048576, "GPUs whose network cards one leaf or pod joins at full rate; 0: all of them")
                .in("GPUs")
                .labelled("GPUs per pod")
                .or_default(0),
            whole<&Machine::rails>(1, 1024,
                                   "Leaves that the cards of a node are spread over (rail-optimized), "
                                   "each with pod_gpus cards; 1: a node's cards share a leaf")
                .in("")
                .labelled("Rails")
                .or_default(1),
            real<&Machine::oversubscription>(1, 1024,
                                             "Bandwidth into a pod over its bandwidth to the spine; 1: none")
                .in("")
                .labelled("Oversubscription")
                .or_default(1),
            whole<&Machine::superpod_gpus>(
                0, 1048576, "GPUs whose pods one group of spines joins, under a core; 0: all of them")
                .in("GPUs")
                .labelled("GPUs per superpod")
                .or_default(0),
            real<&Machine::core_oversubscription>(
                1, 1024, "Bandwidth into a superpod's spines over their bandwidth to the core; 1: none")
                .in("")
                .labelled("Core oversubscription")
                .or_default(1),
        }));

/// Calibration from the machine's own logs: fit_collective's scales, diagnose's parts.
inline constexpr InputField calibration_fields[] = {
    latency_scale_field<&Machine::latency_scale>().of_links(),
    bandwidth_scale_field<&Machine::bandwidth_scale>().of_links(),
    link_bandwidth_scale_field<&Machine::link_bandwidth_scale>().of_links(),
    network_bandwidth_scale_field<&Machine::network_bandwidth_scale>().of_links(),
};

/// The fields of the machine of a job of `Inputs`.
template <class Inputs>
inline constexpr FieldGroup machine_groups[] = {
    of_job<Inputs, &Job::machine>(system_field), of_job<Inputs, &Job::machine>(system_machine_fields),
    of_job<Inputs, &Job::machine>(rate_fields),  of_job<Inputs, &Job::machine>(switch_fields),
    of_job<Inputs, &Job::machine>(spine_fields), of_job<Inputs, &Job::machine>(calibration_fields),
};

/// What a training adds to them.
template <class Inputs>
inline constexpr FieldGroup host_groups[] = {of_job<Inputs, &Job::machine>(host_fields)};

/// What was assumed about a machine.
inline constexpr ResultField assumption_columns[] = {
    result<&Assumption::field>("The input that would state it"),
    result<&Assumption::value>("The value assumed"),
    result<&Assumption::why>("Source of the assumption"),
};

}  // namespace commcost
