#pragma once

#include <vector>

#include "bench/validation/serving/serving_rows.h"

namespace commcost::validation::serving {

/// Sets each row's error by constants that had not seen its source (or its model, where one source has most
/// rows). On the way it prints, where asked, what the serving paces of recipes should be.
void fit(std::vector<ServingRow>& rows, bool prints);

}  // namespace commcost::validation::serving
