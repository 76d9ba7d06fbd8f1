#include "core/network/curve_model.h"

#include <algorithm>

#include "core/collective/bus_bandwidth.h"
#include "core/network/bound.h"
#include "core/network/latency.h"
#include "core/network/line_rate.h"
#include "core/network/plateau.h"
#include "core/network/ramp.h"
#include "core/network/spine.h"

namespace commcost {

PredictedCurve predicted_curve(const GpuGroup& whole, Collective collective, const Constants& constants) {
  const GpuGroup group = through_spine(whole, collective);
  PredictedCurve predicted;
  Curve& curve = predicted.curve;
  if (group.num_gpus <= 1) {
    curve.bytes_per_us = curve.bound_bytes_per_us = unlimited_gb_per_sec * 1e3;
    return predicted;
  }
  const Collective moved = collective == Collective::barrier ? Collective::all_reduce : collective;
  const Plateau plateau = plateau_of(group, moved, constants);
  const double algorithm_gb_per_sec = plateau.bus_gb_per_sec / bus_bandwidth_factor(moved, group.num_gpus);
  predicted.algorithm = plateau.algorithm;
  curve.bound_bytes_per_us = bound_bytes_per_us(group, moved);
  curve.bytes_per_us = std::min(algorithm_gb_per_sec * 1e3, curve.bound_bytes_per_us);
  curve.latency_us = latency_us(group, moved, constants);
  curve.launch_us = launch_floor_us(group, constants);
  curve.ramp = ramp_of(group, moved, constants);
  return predicted;
}

}  // namespace commcost
