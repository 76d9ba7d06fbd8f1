#pragma once

#include <span>

namespace commcost {

/// What is known about one number of GPUs: the step of its best layout, 0 if no layout fits.
struct CountedStep {
  double cluster_gpus = 1;
  double step_time_ms = 0;
};

/// The gain of a number of GPUs for the same work per step. All zero if no layout fits.
struct ScalingGain {
  double speedup = 0;              ///< over the fewest GPUs that fit the model
  double efficiency = 0;           ///< speedup over the factor in GPUs
  double linear_step_time_ms = 0;  ///< if each GPU contributed as much as each of those fewest
  double marginal_efficiency = 0;  ///< throughput of each added GPU, relative to each GPU before
  bool pays = false;             ///< whether each added GPU contributes at least half of what those before do
  bool on_pareto_front = false;  ///< whether no smaller number is as fast
};

/// The gain of `step` over `before`, the rows with fewer GPUs, ascending.
ScalingGain scaling_gain(std::span<const CountedStep> before, const CountedStep& step);

}  // namespace commcost
