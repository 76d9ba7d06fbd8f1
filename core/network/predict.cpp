#include "core/network/predict.h"

#include <algorithm>

#include "core/collective/bus_bandwidth.h"

namespace commcost {

PredictedCurve fitted_curve(const GpuGroup& group, Collective collective, const Calibration& calibration) {
  PredictedCurve fitted = predicted_curve(group, collective, fitted_constants());
  const double way = group.spans_nodes() ? calibration.network_scale : calibration.link_scale;
  fitted.curve = fitted.curve.calibrated({calibration.latency_scale, calibration.bandwidth_scale * way});
  return fitted;
}

Prediction Predictor::at(double message_size_bytes) const {
  Prediction prediction;
  if (group.num_gpus <= 1) return prediction;
  prediction.time_us = curve.time_us(message_size_bytes);
  prediction.lower_bound_us = curve.lower_bound_us(message_size_bytes);
  const Band band = band_of(group, basis, message_size_bytes);
  prediction.low_us = std::max(prediction.time_us * band.low, prediction.lower_bound_us);
  prediction.high_us = prediction.time_us * band.high;
  prediction.algorithm_bandwidth_gb_per_sec = message_size_bytes / (prediction.time_us * 1e3);
  prediction.bus_bandwidth_gb_per_sec = prediction.algorithm_bandwidth_gb_per_sec * factor;
  return prediction;
}

Predictor predictor_of(const GpuGroup& group, Collective collective, const Calibration& calibration) {
  const PredictedCurve fitted = fitted_curve(group, collective, calibration);
  Predictor predictor;
  predictor.curve = fitted.curve;
  predictor.group = group;
  predictor.algorithm = fitted.algorithm;
  predictor.basis = basis_of(group, collective);
  predictor.factor = bus_bandwidth_factor(collective, group.num_gpus);
  return predictor;
}

}  // namespace commcost
