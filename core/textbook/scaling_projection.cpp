#include "core/textbook/scaling_projection.h"

namespace commcost {
namespace {

// Bytes that a ring sends, as a share of the message.
double ring_factor(double gpus) {
  return (gpus - 1) / gpus;
}

}  // namespace

Outcome<ScalingProjection> project_scaling(const ScalingInputs& inputs) {
  Problems problems;
  const auto add = [&problems](const char* field, const char* message, const char* allowed) {
    problems.push_back({field, ProblemCode::inconsistent, message, allowed});
  };
  const double both = inputs.compute_share + inputs.communication_share;
  if (!(both > 0)) {
    add("compute_share", "compute_share and communication_share must not both be 0", "a sum greater than 0");
  }
  ScalingProjection projection;
  projection.efficiency = inputs.efficiency;
  if (inputs.efficiency <= 0) {
    if (inputs.from_bus_bandwidth_gb_per_sec <= 0 || inputs.to_bus_bandwidth_gb_per_sec <= 0) {
      add("efficiency",
          "efficiency must be given, or from_bus_bandwidth_gb_per_sec and to_bus_bandwidth_gb_per_sec",
          "greater than 0, or both bandwidths");
    }
    if (inputs.from_gpus < 2 || inputs.to_gpus < 2) {
      add("from_gpus", "from_gpus and to_gpus must be at least 2 to derive the efficiency", "at least 2");
    }
    if (problems.empty()) {
      projection.efficiency = inputs.to_bus_bandwidth_gb_per_sec / inputs.from_bus_bandwidth_gb_per_sec *
                              (ring_factor(inputs.from_gpus) / ring_factor(inputs.to_gpus));
    }
  }
  constexpr double least_efficiency = 1e-9;
  constexpr double greatest_efficiency = 1e9;
  // Beyond these, the ratios below exceed what a double can hold.
  if (problems.empty() &&
      !(projection.efficiency >= least_efficiency && projection.efficiency <= greatest_efficiency)) {
    add("efficiency", "efficiency, given or derived, must be from 1e-9 to 1e9", "a number from 1e-9 to 1e9");
  }
  if (!problems.empty()) return problems;
  const double later = inputs.compute_share + inputs.communication_share / projection.efficiency;
  projection.speedup = both / later;
  projection.step_time_ratio = later / both;
  projection.communication_time_ratio = 1 / projection.efficiency;
  projection.throughput_loss_percent = 100 * (1 - projection.speedup);
  if (inputs.from_gpus > 0)
    projection.throughput_ratio = projection.speedup * inputs.to_gpus / inputs.from_gpus;
  return projection;
}

}  // namespace commcost
