#pragma once

#include <vector>

#include "bench/validation/steps/measured_steps.h"
#include "bench/validation/steps/published_runs.h"

namespace commcost::validation::steps {

/// Prints web/scoreboard/steps.csv: published runs by class, then the tables; what ran under the inputs'
/// names.
void print_steps(const std::vector<PublishedRun>& runs, const std::vector<MeasuredStep>& rows);

}  // namespace commcost::validation::steps
