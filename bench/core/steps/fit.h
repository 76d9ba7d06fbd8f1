#pragma once

#include <vector>

#include "bench/core/steps/measured_steps.h"

namespace commcost::steps {

/// Prints what the step's constants should be on the fitted rows, and the errors with them; a `held_traffic`
/// above 0 holds matrix_traffic_weight there.
void fit(const std::vector<MeasuredStep>& rows, double held_traffic);

}  // namespace commcost::steps
