#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/validation/collectives/measured.h"
#include "core/network/curve_constants.h"

namespace commcost::validation::collectives {

/// Prints web/scoreboard/collectives.csv: every measured size with its prediction by constants that had not
/// seen its site, which `without` holds.
void print_collectives(const std::vector<Series>& all, const std::map<std::string, Constants>& without);

}  // namespace commcost::validation::collectives
