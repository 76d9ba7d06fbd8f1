#pragma once

#include <string>
#include <vector>

#include "bench/validation/steps/fit_rows.h"

namespace commcost::validation::steps {

/// Which share of series' runs lies in their bands, by class and by basis; errors as the rows have them.
void print_coverage(const std::vector<FitRow>& rows, const std::string& what);

}  // namespace commcost::validation::steps
