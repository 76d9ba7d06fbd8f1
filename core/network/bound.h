#pragma once

#include "core/collective/kind.h"
#include "core/network/gpu_group.h"

namespace commcost {

/// Message bytes a microsecond that line rates allow, whatever the algorithm, on a group of two and more.
double bound_bytes_per_us(const GpuGroup& group, Collective collective);

}  // namespace commcost
