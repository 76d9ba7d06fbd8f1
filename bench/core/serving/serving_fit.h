#pragma once

#include <vector>

#include "bench/core/serving/serving_rows.h"

namespace commcost::serving {

/// Prints what the serving paces of recipes should be, each constant with its rows, its prior and the error
/// without it, and sets each row's error by constants that had not seen its source (or its model, where one
/// source has most).
void fit(std::vector<ServingRow>& rows);

}  // namespace commcost::serving
