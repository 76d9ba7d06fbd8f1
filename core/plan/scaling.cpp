#include "core/plan/scaling.h"

namespace commcost {
namespace {

constexpr double least_that_pays = 0.5;

}  // namespace

ScalingGain scaling_gain(std::span<const CountedStep> before, const CountedStep& step) {
  if (step.step_time_ms <= 0) return {};
  const CountedStep* first = nullptr;
  const CountedStep* last = nullptr;
  ScalingGain gain{1, 1, step.step_time_ms, 1, true, true};
  for (const CountedStep& one : before) {
    if (one.step_time_ms <= 0) continue;
    if (first == nullptr) first = &one;
    last = &one;
    gain.on_pareto_front = gain.on_pareto_front && step.step_time_ms < one.step_time_ms;
  }
  if (first == nullptr) return gain;
  gain.speedup = first->step_time_ms / step.step_time_ms;
  gain.efficiency = gain.speedup * first->cluster_gpus / step.cluster_gpus;
  gain.linear_step_time_ms = first->step_time_ms * first->cluster_gpus / step.cluster_gpus;
  const double added = step.cluster_gpus - last->cluster_gpus;
  gain.marginal_efficiency = (last->step_time_ms / step.step_time_ms - 1) * last->cluster_gpus / added;
  gain.pays = gain.marginal_efficiency >= least_that_pays;
  return gain;
}

}  // namespace commcost
