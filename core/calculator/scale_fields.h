#pragma once

#include "core/calculator/common_fields.h"
#include "core/hardware/machine.h"

namespace commcost {

/// What if the machine were otherwise: the inputs of a MachineScales.
inline constexpr InputField scale_fields[] = {
    real<&MachineScales::link>(1e-3, 1e3, "What-if factor on the scale-up bandwidth")
        .named("link_scale")
        .or_default(1),
    real<&MachineScales::network>(1e-3, 1e3, "What-if factor on the network's bandwidth")
        .named("network_scale")
        .or_default(1),
    real<&MachineScales::matmul>(1e-3, 1e3, "What-if factor on the achievable FLOP rate")
        .named("matmul_scale")
        .or_default(1),
    real<&MachineScales::hbm>(1e-3, 1e3, "What-if factor on the memory's bandwidth")
        .named("hbm_scale")
        .or_default(1),
};

}  // namespace commcost
