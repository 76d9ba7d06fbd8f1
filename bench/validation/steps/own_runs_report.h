#pragma once

#include <vector>

#include "bench/validation/steps/published_runs.h"

namespace commcost::validation::steps {

/// Prints what fit_step brings: constants moved to three runs of a family (one stack, GPU, precision and
/// model), judged on its others, beside nothing moved and one plain scale. Says whether that holds its
/// limits.
bool print_own_runs(const std::vector<PublishedRun>& runs, bool every_family);

}  // namespace commcost::validation::steps
