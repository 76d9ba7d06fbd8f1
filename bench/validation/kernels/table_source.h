#pragma once

#include "bench/validation/kernels/table_fit.h"

namespace commcost::validation::kernels {

/// Prints core/compute/fitted_kernels_table.cpp: constants fitted to all rows, and bands from the errors on
/// shapes, accelerators and generations that no constant saw.
void write_table(const KernelRows& rows, const std::vector<LeftOut>& shapes,
                 const std::vector<LeftOut>& accelerators, const std::vector<LeftOut>& generations);

}  // namespace commcost::validation::kernels
