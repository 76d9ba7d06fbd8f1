#pragma once

#include "core/collective/kind.h"
#include "core/network/curve_constants.h"
#include "core/network/gpu_group.h"

namespace commcost {

/// The time of an empty message on a group of two and more, us.
double latency_us(const GpuGroup& group, Collective collective, const Constants& constants);

/// The floor that launching for the GPUs of a node sets under a collective, us; 0 where every GPU has a
/// process.
double launch_floor_us(const GpuGroup& group, const Constants& constants);

}  // namespace commcost
