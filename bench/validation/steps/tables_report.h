#pragma once

#include <string_view>
#include <vector>

#include "bench/validation/steps/measured_steps.h"

namespace commcost::validation::steps {

/// Model and layout of a row in short.
std::string describe(const MeasuredStep& row);

/// Prints errors of time and memory by table, of those whose name holds `only`; with `every_row` each row's
/// parts too.
void print_tables(const std::vector<MeasuredStep>& rows, std::string_view only, bool every_row);

}  // namespace commcost::validation::steps
