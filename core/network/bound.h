#pragma once

#include "core/collective/kind.h"
#include "core/network/gpu_group.h"

namespace commcost {

/// Message bytes per microsecond that line rates allow, whatever the algorithm, on a group of two or more.
double bound_bytes_per_us(const GpuGroup& group, Collective collective);

}  // namespace commcost
