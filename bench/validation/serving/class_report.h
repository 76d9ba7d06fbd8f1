#pragma once

#include <string_view>
#include <vector>

#include "bench/validation/serving/serving_rows.h"

namespace commcost::validation::serving {

/// Every row with its error.
void print_rows(const std::vector<ServingRow>& rows);
/// Errors by who measured.
void print_sources(const std::vector<ServingRow>& rows);
/// Errors by stack and generation of accelerators: the rows of the table of core/serving/serving_band.cpp.
void print_classes(const std::vector<ServingRow>& rows);
/// What more tensor ranks bring at the same batch: from the smallest measured degree to the largest. Returns
/// the median of the absolute errors, %.
double print_speedups(const std::vector<ServingRow>& rows);

/// The median of the absolute errors of rows whose source's name has that part, %; 0 for none.
double median_error_percent(const std::vector<ServingRow>& rows, std::string_view part);

}  // namespace commcost::validation::serving
