#pragma once

#include <string_view>
#include <vector>

#include "bench/validation/steps/measured_steps.h"
#include "bench/validation/targets.h"

namespace commcost::validation::steps {

/// Model and layout of a row in short.
std::string describe(const MeasuredStep& row);

/// Prints errors of time and memory by table, for tables whose name contains `only`; with `every_row` each
/// row's parts too. Returns the figures to be judged; nothing if some tables are left out.
std::vector<Target> print_tables(const std::vector<MeasuredStep>& rows, std::string_view only,
                                 bool every_row);

}  // namespace commcost::validation::steps
