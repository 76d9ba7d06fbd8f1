#pragma once

#include "core/network/band.h"
#include "core/network/curve_model.h"

namespace commcost {

/// The curve of a collective on a group, by the fitted constants: everything that a time needs.
PredictedCurve fitted_curve(const GpuGroup& group, Collective collective,
                            const Calibration& calibration = {});

/// How long a collective takes on real hardware, with what is known about the error.
struct Prediction {
  double time_us = 0;                         ///< expected, us
  double low_us = 0;                          ///< 10th percentile of unseen measurements, us
  double high_us = 0;                         ///< 90th percentile of unseen measurements, us
  double lower_bound_us = 0;                  ///< least time that line rates allow
  double algorithm_bandwidth_gb_per_sec = 0;  ///< message over time
  double bus_bandwidth_gb_per_sec = 0;        ///< that times nccl-tests' factor
};

/// A collective on a group, ready to be evaluated at many sizes.
struct Predictor {
  Curve curve;                            ///< time against size
  GpuGroup group;                         ///< whose curve it is
  Algorithm algorithm = Algorithm::ring;  ///< that large messages take
  Basis basis = Basis::estimated;         ///< what the curve rests on
  double factor = 0;                      ///< bus over algorithm bandwidth

  /// The prediction for a message of that many bytes (>= 0).
  Prediction at(double message_size_bytes) const;
};

/// A collective on a group, by the fitted constants.
Predictor predictor_of(const GpuGroup& group, Collective collective, const Calibration& calibration = {});

}  // namespace commcost
