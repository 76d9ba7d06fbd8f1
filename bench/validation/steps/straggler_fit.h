#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/validation/steps/published_runs.h"

namespace commcost::validation::steps {

/// Spreads of replicas by recipe, percent, of those whose series of weak scaling ask for another than Stack{}
/// has. A series' own speed is free: what else is wrong with it says nothing about stragglers. Prints them,
/// with what series of other sources (or models, where one source is all) are off by.
std::map<std::string, double> fit_stragglers(const std::vector<PublishedRun>& runs);

}  // namespace commcost::validation::steps
