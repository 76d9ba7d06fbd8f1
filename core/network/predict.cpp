#include "core/network/predict.h"

#include <algorithm>

#include "core/collective/bus_bandwidth.h"

namespace commcost {

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

Basis basis_of(const GpuGroup& group, Collective collective) {
  const bool measured_kind = collective == Collective::all_reduce || collective == Collective::all_gather ||
                             collective == Collective::reduce_scatter;
  const bool measured_span = !group.spans_nodes() || group.fabric->fabric_class != FabricClass::pcie;
  return group.fabric->measured && measured_kind && measured_span ? Basis::calibrated : Basis::model;
}

Predictor predictor_of(const GpuGroup& group, Collective collective, const Calibration& calibration) {
  const RuledCurve ruled = ruled_curve(group, collective, fitted_constants());
  Predictor predictor;
  predictor.curve = ruled.curve;
  predictor.group = group;
  predictor.algorithm = ruled.algorithm;
  predictor.basis = basis_of(group, collective);
  predictor.factor = bus_bandwidth_factor(collective, group.num_gpus);
  Curve& curve = predictor.curve;
  curve.latency_us *= calibration.latency_scale;
  curve.launch_us *= calibration.latency_scale;
  curve.ramp_us *= calibration.latency_scale;
  curve.bytes_per_us = std::min(curve.bytes_per_us * calibration.bandwidth_scale, curve.bound_bytes_per_us);
  return predictor;
}

}  // namespace commcost
