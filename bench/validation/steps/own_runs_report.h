#pragma once

#include <vector>

#include "bench/validation/steps/published_runs.h"

namespace commcost::validation::steps {

/// Prints the gain of fit_step: constants fitted to three runs of a family (one stack, GPU, precision and
/// model), judged on its others, next to no change and one plain scale. Returns whether the gain meets its
/// limits.
bool print_own_runs(const std::vector<PublishedRun>& runs, bool every_family);

}  // namespace commcost::validation::steps
