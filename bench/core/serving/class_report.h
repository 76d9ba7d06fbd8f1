#pragma once

#include <vector>

#include "bench/core/serving/serving_rows.h"

namespace commcost::serving {

/// Every row with its error.
void print_rows(const std::vector<ServingRow>& rows);
/// Errors by who measured.
void print_sources(const std::vector<ServingRow>& rows);
/// Errors by stack and generation of accelerators: the rows of the table of core/step/serving_band.cpp.
void print_classes(const std::vector<ServingRow>& rows);
/// What more tensor ranks bring at the same batch: from the smallest measured degree to the largest.
void print_speedups(const std::vector<ServingRow>& rows);

}  // namespace commcost::serving
