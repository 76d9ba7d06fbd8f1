#pragma once

#include <span>

namespace commcost {

/// What is known of one number of GPUs: the step of its best layout, 0 where no layout fits.
struct CountedStep {
  double cluster_gpus = 1;
  double step_time_ms = 0;
};

/// What a number of GPUs brings, the work of a step being the same. All zero where no layout fits.
struct ScalingGain {
  double speedup = 0;              ///< over the fewest GPUs that the model fits on
  double efficiency = 0;           ///< that, over how many times as many GPUs they are
  double linear_step_time_ms = 0;  ///< if each GPU brought as much as each of those fewest
  double marginal_efficiency = 0;  ///< throughput of each GPU added, of that of each GPU before
  bool pays = false;               ///< whether each GPU added brings at least half of what those before do
  bool on_pareto_front = false;    ///< whether no smaller number is as quick
};

/// The gain of `step` over `before`, which are fewer GPUs, ascending.
ScalingGain scaling_gain(std::span<const CountedStep> before, const CountedStep& step);

}  // namespace commcost
