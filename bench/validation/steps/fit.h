#pragma once

#include <vector>

#include "bench/validation/steps/measured_steps.h"
#include "bench/validation/steps/published_runs.h"

namespace commcost::validation::steps {

/// Prints what the paces of recipes and the constants that no benchmark gives should be, each with its prior,
/// its rows and the error without it; then errors on left-out sources or models, by class, as rows of the
/// table of core/training/step_band.cpp.
void fit(const std::vector<MeasuredStep>& tables, const std::vector<PublishedRun>& published);

}  // namespace commcost::validation::steps
