#pragma once

#include <string>
#include <vector>

#include "bench/validation/steps/published_runs.h"
#include "bench/validation/targets.h"

namespace commcost::validation::steps {

/// Runs of one layout and batch for each GPU on ever more GPUs: the quickest of each count, fewest GPUs
/// first.
using WeakScaling = std::vector<const PublishedRun*>;

/// Every such series with at least two counts, the last at least twice the first.
std::vector<WeakScaling> weak_scaling_series(const std::vector<PublishedRun>& runs);

/// What a GPU loses of its throughput from the first to the last of a series, as measured and as predicted.
struct ScalingLoss {
  double measured_percent = 0;
  double predicted_percent = 0;
};
ScalingLoss loss_of(const WeakScaling& series);

/// Prints loss by series, and how far the predicted ones are off, which it returns.
std::vector<Target> print_weak_scaling(const std::vector<WeakScaling>& series, bool every_series);

/// Prints how much slower the layout called quickest is than the measured quickest, in every group of at
/// least three layouts of one model and batch on the same GPUs; returns the mean.
Target print_regret(const std::vector<PublishedRun>& runs, bool every_series);

}  // namespace commcost::validation::steps
