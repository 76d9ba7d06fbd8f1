#pragma once

#include <vector>

#include "bench/validation/steps/fit_rows.h"

namespace commcost::validation::steps {

/// Prints how many runs of each stack lie within the band that a stack without runs gets: as other stacks'
/// runs of that kind were off, theirs predicted by no pace of their own.
void print_left_out_stacks(const std::vector<FitRow>& rows);

}  // namespace commcost::validation::steps
