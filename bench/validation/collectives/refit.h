#pragma once

#include <string_view>
#include <vector>

#include "bench/validation/collectives/measured.h"
#include "core/network/curve_constants.h"

namespace commcost::validation::collectives {

/// The constants that fit `all` best but for the series of `left_out` (empty: none): least squares on log
/// time, robust (soft L1), series weighted alike, drawn towards the priors. Starts from the priors.
Constants refit(const std::vector<Series>& all, std::string_view left_out);

/// For each constant, how many measured points move with it: by a thousandth or more for one percent of it.
std::vector<double> rows_that_answer(const std::vector<Series>& all, const Constants& constants);

}  // namespace commcost::validation::collectives
