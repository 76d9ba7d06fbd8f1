#pragma once

#include <vector>

#include "bench/validation/serving/kernel_rows.h"
#include "bench/validation/serving/serving_rows.h"

namespace commcost::validation::serving {

/// web/scoreboard/serving.csv: every row with its prediction by constants that had not seen its source.
void print_serving(const std::vector<ServingRow>& rows);

/// web/scoreboard/kernels.csv: measured times of serving stacks' all-reduce kernels.
void print_measured_kernels(const std::vector<ReduceRow>& rows);

}  // namespace commcost::validation::serving
