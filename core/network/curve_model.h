#pragma once

#include "core/collective/kind.h"
#include "core/network/curve.h"
#include "core/network/curve_constants.h"
#include "core/network/gpu_group.h"

namespace commcost {

/// A collective's curve on a group, and the algorithm that large messages take.
struct PredictedCurve {
  Curve curve;
  Algorithm algorithm = Algorithm::ring;
};

/// The curve of a collective on a group, from physics and the fitted constants.
PredictedCurve predicted_curve(const GpuGroup& group, Collective collective, const Constants& constants);

}  // namespace commcost
