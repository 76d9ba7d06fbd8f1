#include <algorithm>

#include "core/calculator/calculations.h"
#include "core/calculator/machine_fields.h"
#include "core/hardware/host_copy.h"

namespace commcost::calculations {
namespace host_copy_time_table {

/// What host_copy_time takes.
struct HostCopyInputs {
  Machine machine;
  int system = -1;
  HostMemory host_memory = HostMemory::pinned;
  double copied_bytes = 0;
  double copy_gb_per_sec = 0;
  double compute_us = 0;
};

/// What host_copy_time gives.
struct HostCopyResults {
  double copy_us = 0;
  double exposed_us = 0;
  double gb_per_sec = 0;
  bool measured = false;
};

using Inputs = HostCopyInputs;
using Results = HostCopyResults;

void fill_copies(void* inputs, std::size_t system) {
  Inputs& filled = *static_cast<Inputs*>(inputs);
  fill(filled.machine, all_systems()[system]);
  filled.system = static_cast<int>(system);
}

constexpr double most_bytes = 1e18;
constexpr double gibibyte = 1024.0 * 1024 * 1024;

constexpr InputField system_fields[] = {preset<fill_copies>("system", system_ids, system_field[0].field.help)
                                            .labelled(system_field[0].field.label)};
constexpr auto accelerator_fields = picked(system_machine_fields, {"accelerator"});

constexpr InputField copy_fields[] = {
    choice<&Inputs::host_memory>(host_memory_names,
                                 "Host memory: pinned (page-locked), or pageable, which a CPU core first "
                                 "copies into a pinned buffer")
        .labelled("Host memory")
        .or_default(0),
    real<&Inputs::copied_bytes>(0, most_bytes, "Bytes copied between a GPU and its host, one way")
        .in("B")
        .labelled("Bytes copied")
        .or_default(gibibyte),
    real<&Inputs::copy_gb_per_sec>(0, 1e6,
                                   "Rate of the copy, one way, per GPU; 0: as measured on the system, or "
                                   "estimated by the GPU's link to the host")
        .labelled("Copy bandwidth")
        .or_default(0),
    real<&Inputs::compute_us>(0, 1e15, "Compute that runs at the same time and needs none of these bytes")
        .labelled("Compute meanwhile")
        .or_default(0),
};

constexpr FieldGroup groups[] = {
    group<Inputs>(system_fields),
    group_of<&Inputs::machine>(accelerator_fields),
    group<Inputs>(copy_fields),
};

constexpr ResultField results[] = {
    result<&Results::copy_us>("Time of the copy"),
    result<&Results::exposed_us>("Time of the copy beyond the compute that hides it"),
    result<&Results::gb_per_sec>("Rate of the copy, one way"),
    result<&Results::measured>("Whether the rate was measured on this system"),
};

Outcome<Results> compute(const Inputs& inputs) {
  const Accelerator& accelerator = accelerator_of(inputs.machine);
  const System* system =
      inputs.system < 0 ? nullptr : &all_systems()[static_cast<std::size_t>(inputs.system)];
  HostCopyRate rate = host_copy_rate(accelerator, system, inputs.host_memory);
  if (inputs.copy_gb_per_sec > 0) rate = {inputs.copy_gb_per_sec, false};
  if (rate.gb_per_sec <= 0)
    return Problem{"copy_gb_per_sec", ProblemCode::inconsistent,
                   "copy_gb_per_sec must be above 0: this accelerator's link to its host is not known",
                   "a number above 0"};
  Results all;
  all.gb_per_sec = rate.gb_per_sec;
  all.measured = rate.measured;
  all.copy_us = host_copy_us(inputs.copied_bytes, rate.gb_per_sec);
  all.exposed_us = std::max(0.0, all.copy_us - inputs.compute_us);
  return all;
}

constexpr Calculation table = calculation<Inputs, Results, compute, results>(
    "host_copy_time", "Time of a copy between a GPU and its host's memory, and how much of it compute hides",
    groups);

}  // namespace host_copy_time_table

const Calculation host_copy_time = host_copy_time_table::table;

}  // namespace commcost::calculations
