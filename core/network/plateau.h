#pragma once

#include "core/collective/kind.h"
#include "core/network/curve_constants.h"
#include "core/network/gpu_group.h"

namespace commcost {

/// The rate that huge messages approach, and how they travel.
struct Plateau {
  double bus_gb_per_sec;  ///< bus bandwidth
  Algorithm algorithm;    ///< that large messages take
};

/// The plateau of a collective on a group of two or more.
Plateau plateau_of(const GpuGroup& group, Collective collective, const Constants& constants);

}  // namespace commcost
