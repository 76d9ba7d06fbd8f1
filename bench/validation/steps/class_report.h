#pragma once

#include <vector>

#include "bench/validation/steps/published_runs.h"
#include "bench/validation/targets.h"

namespace commcost::validation::steps {

/// Prints errors of published runs by class, by groups of classes, and what was left out and why. Returns
/// the medians that have a limit.
std::vector<Target> print_classes(const PublishedRuns& published);

}  // namespace commcost::validation::steps
