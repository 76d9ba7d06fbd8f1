#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "bench/validation/kernels/measured_kernels.h"

namespace commcost::validation::kernels {

using KernelRows = std::vector<const MeasuredKernel*>;

/// Constants and clocks as fitted to some rows.
struct FittedTable {
  std::vector<KernelTableRow> constants;
  std::vector<MatrixClockRow> clocks;

  KernelTable view() const { return {constants, clocks, {}, {}}; }
};

/// A constant that is held at its prior, to see what it is worth.
struct HeldConstant {
  KernelFamily family;
  std::size_t constant;
};

/// Fits each family from the general to the particular: all rows, those of a generation, of a format, of a
/// library; each level is drawn towards the one before it, which holds where rows are few.
FittedTable fitted_table(const KernelRows& rows, std::optional<HeldConstant> held = std::nullopt);

/// ln(predicted / measured) of a row by a table.
double log_error(const MeasuredKernel& row, const KernelTable& table);

/// A row, and how far off it is by constants that had not seen it.
struct LeftOut {
  const MeasuredKernel* row;
  double log_error;
};

/// Rows of one group after another are left out of the fit, and judged: rows for which `group` says the same.
/// An empty group is never left out.
std::vector<LeftOut> left_out(const KernelRows& rows,
                              const std::function<std::string(const MeasuredKernel&)>& group);

}  // namespace commcost::validation::kernels
