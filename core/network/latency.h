#pragma once

#include "core/collective/kind.h"
#include "core/network/curve_constants.h"
#include "core/network/gpu_group.h"

namespace commcost {

/// The time of an empty message on a group of two or more, us.
double latency_us(const GpuGroup& group, Collective collective, const Constants& constants);

/// The floor under a collective that comes from launching for all GPUs of a node, us; 0 if every GPU has a
/// process.
double launch_floor_us(const GpuGroup& group, const Constants& constants);

}  // namespace commcost
