#pragma once

#include <string>
#include <vector>

#include "bench/validation/steps/measured_steps.h"
#include "bench/validation/steps/published_runs.h"

namespace commcost::validation::steps {

/// A measured step as a fit sees it.
struct FitRow {
  MeasuredStep step;
  std::string recipe;  ///< id
  std::string source;  ///< who measured, on what
  std::string model;   ///< rows of one shape
  std::string
      klass;  ///< recipe, accelerator, dense or experts; staged: dense on stages of a stack that stalls
  std::string series;  ///< source, model and precision
  StackRelease release = StackRelease::any;
  bool stalled = false;       ///< belongs to its class, but tells nothing about constants
  double weight = 1;          ///< many rows of one shape by one source say little more than one
  double error = 0;           ///< ln(predicted / measured)
  double error_as_other = 0;  ///< the same by the recipe `other`
};

/// Rows that say enough: predicted, and not doubted by their table.
std::vector<FitRow> fit_rows(const std::vector<MeasuredStep>& tables,
                             const std::vector<PublishedRun>& published);

}  // namespace commcost::validation::steps
