#pragma once

#include <string_view>
#include <vector>

#include "bench/core/accuracy/measured.h"
#include "core/network/constants.h"

namespace commcost::accuracy {

/// The constants that fit `all` best but for the series of `left_out` (empty: none): least squares on log
/// time, robust (soft L1), series weighted alike, drawn towards the priors. Starts from the priors.
Constants refit(const std::vector<Series>& all, std::string_view left_out);

}  // namespace commcost::accuracy
