#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/hardware/measured_band.h"

namespace commcost::validation {

/// Held-out errors of one class, by series.
struct ErrorsBySeries {
  std::map<std::string, std::vector<double>> errors;  ///< ln(predicted / measured)
  Reach most{};

  /// Their quantiles, each series weighing the same.
  SeriesErrors summed_up() const;
};

/// Classes by recipe, accelerator and kind, whose fields `|` separates, as measured_band.h's tables have
/// them.
using MeasuredClasses = std::map<std::string, ErrorsBySeries>;

/// The rows of a table of MeasuredClass; `reach` in place of the greatest of its runs where it is given.
void print_class_rows(const MeasuredClasses& classes, const std::string& reach = "");

}  // namespace commcost::validation
