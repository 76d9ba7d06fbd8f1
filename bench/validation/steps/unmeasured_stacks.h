#pragma once

#include <vector>

#include "bench/validation/steps/fit_rows.h"

namespace commcost::validation::steps {

/// Prints how far the runs of each stack lie from the recipe `other`, the spread that
/// core/training/step_band.cpp gives stacks without runs, and how many series of each stack lie within the
/// spread of the others.
void print_unmeasured_stacks(const std::vector<FitRow>& rows);

}  // namespace commcost::validation::steps
