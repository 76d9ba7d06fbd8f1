#pragma once

#include <vector>

#include "bench/validation/steps/series.h"

namespace commcost::validation::steps {

/// Tries the ExaComm'24 panel's claim on public series: many GPUs from the shares of few and the network's
/// efficiency. Measured runs publish no shares: they are the model's, and so is the efficiency.
void print_projection(const std::vector<WeakScaling>& series);

/// The same as web/scoreboard/projection.csv: what each pair of runs is projected from, and what was
/// measured.
void print_projection_table(const std::vector<WeakScaling>& series);

}  // namespace commcost::validation::steps
