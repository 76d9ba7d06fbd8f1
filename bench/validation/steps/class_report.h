#pragma once

#include "bench/validation/steps/published_runs.h"

namespace commcost::validation::steps {

/// Prints errors of published runs by class, by groups of classes, and what was left out and why.
void print_classes(const PublishedRuns& published);

}  // namespace commcost::validation::steps
