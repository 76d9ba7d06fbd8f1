#pragma once

#include "core/base/field.h"
#include "core/hardware/accelerator_rows.h"
#include "core/step/machine.h"

namespace commcost {

/// The inputs that describe accelerators and how they are joined, shared by every calculation of a step.
inline constexpr InputField machine_fields[] = {
    choice<&Machine::accelerator>("accelerator", accelerator_ids, "Id in hardware_catalog"),
    whole<&Machine::gpus_per_node>("gpus_per_node", "GPUs", 1, 1048576, "GPUs that the fast links join")
        .or_default(8),
    real<&Machine::nic_gb_per_sec>(
        "nic_gb_per_sec", "GB/s", 0, 1e6,
        "Network between nodes, one way, per GPU; 0: as usual with the accelerator")
        .or_default(0),
};

}  // namespace commcost
