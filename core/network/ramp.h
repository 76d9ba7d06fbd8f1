#pragma once

#include "core/collective/kind.h"
#include "core/network/curve.h"
#include "core/network/curve_constants.h"
#include "core/network/gpu_group.h"

namespace commcost {

/// What a collective loses on a group of two or more while channels and pipelines fill, and where a network
/// changes its protocol.
Ramp ramp_of(const GpuGroup& group, Collective collective, const Constants& constants);

}  // namespace commcost
