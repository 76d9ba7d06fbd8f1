#pragma once

#include "core/calculator/common_fields.h"
#include "core/step/machine.h"

namespace commcost {

/// What if the machine were otherwise: the inputs of a MachineScales.
inline constexpr InputField scale_fields[] = {
    real<&MachineScales::link>("link_scale", "", 1e-3, 1e3, "What if: factor on the scale-up bandwidth")
        .or_default(1),
    real<&MachineScales::network>("network_scale", "", 1e-3, 1e3,
                                  "What if: factor on the network's bandwidth")
        .or_default(1),
    real<&MachineScales::matmul>("matmul_scale", "", 1e-3, 1e3, "What if: factor on the achievable FLOP rate")
        .or_default(1),
    real<&MachineScales::hbm>("hbm_scale", "", 1e-3, 1e3, "What if: factor on the memory's bandwidth")
        .or_default(1),
};

}  // namespace commcost
