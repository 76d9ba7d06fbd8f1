#pragma once

#include "core/collective/kind.h"
#include "core/network/constants.h"
#include "core/network/curve.h"
#include "core/network/gpu_group.h"

namespace commcost {

/// A collective's curve on a group, and the algorithm that large messages take.
struct RuledCurve {
  Curve curve;
  Algorithm algorithm = Algorithm::ring;
};

/// The curve of a collective on a group, from physical rules and the fitted constants.
RuledCurve ruled_curve(const GpuGroup& group, Collective collective, const Constants& constants);

}  // namespace commcost
