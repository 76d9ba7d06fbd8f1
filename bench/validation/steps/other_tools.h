#pragma once

#include <string>
#include <vector>

#include "bench/validation/steps/measured_steps.h"

namespace commcost::validation::steps {

/// Prints other tools' published predictions of the same runs next to ours
/// (tests/data/published_predictions.csv in the folder `data`).
void print_other_tools(const std::string& data, const std::vector<MeasuredStep>& rows);

}  // namespace commcost::validation::steps
