#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/validation/steps/published_runs.h"

namespace commcost::validation::steps {

/// Spreads of replicas by recipe, percent, for recipes whose series of weak scaling need another than that of
/// Stack{}. A series' own speed is free: other errors in it say nothing about stragglers. Prints them, with
/// the errors of series from other sources (or models, if one source is all).
std::map<std::string, double> fit_stragglers(const std::vector<PublishedRun>& runs);

}  // namespace commcost::validation::steps
