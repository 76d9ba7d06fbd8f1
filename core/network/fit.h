#pragma once

#include <span>
#include <vector>

#include "core/base/outcome.h"
#include "core/network/curve.h"

namespace commcost {

/// A message's size and its measured time.
struct TimedMessage {
  double message_size_bytes = 0;  ///< > 0
  double time_us = 0;             ///< > 0
};

/// The curve t = (A^k + (S/B)^k)^(1/k) of one log: latency A, plateau B, and how soon it bends (k).
struct FittedCurve {
  double latency_us = 0;            ///< A
  double bandwidth_gb_per_sec = 0;  ///< B: algorithm bandwidth of the plateau, GB/s
  double knee = 1;  ///< k: 1 adds latency and transfer; smaller, a longer way from one to the other

  /// The curve's time of a message, us.
  double time_us(double message_size_bytes) const;
};

/// A fitted curve with its residuals, which are interpolated between measured sizes.
struct LogFit {
  FittedCurve curve;
  std::vector<TimedMessage> knots;  ///< measured sizes, ascending, each with its mean time
  double median_error_percent = 0;  ///< of the curve alone, absolute
  double cross_error_percent = 0;   ///< each point predicted from the others, median absolute

  /// The calibrated time: the curve times the interpolated residual; beyond the measured sizes the nearest
  /// one applies.
  double time_us(double message_size_bytes) const;
};

/// Fits a curve to points by least squares on log time, robust to outliers (soft L1 at 7 %).
/// Refused: fewer than four sizes, or sizes within a factor of four.
Outcome<LogFit> fit_curve(std::span<const TimedMessage> points);

/// The scales of latency and bandwidth that bring a predicted curve closest to the points.
struct FittedScales {
  double latency_scale = 1;
  double bandwidth_scale = 1;
  double median_error_percent = 0;  ///< of the scaled curve, absolute
};

/// As fit_curve, for the two scales of Calibration.
FittedScales fit_scales(const Curve& predicted, std::span<const TimedMessage> points);

}  // namespace commcost
