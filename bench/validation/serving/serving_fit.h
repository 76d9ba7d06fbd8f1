#pragma once

#include <string_view>
#include <vector>

#include "bench/validation/serving/serving_rows.h"

namespace commcost::serving {

/// A constant of a stack as its rows have it.
struct FittedConstant {
  const char* name;
  double prior;
  double value;
  double error_without_percent;  ///< the median with the prior in its place
};

/// A stack, its rows, and what they change.
struct FittedStack {
  std::string_view recipe;
  std::size_t rows;
  double error_percent;  ///< the median
  std::vector<FittedConstant> constants;
};

/// What the serving paces of recipes should be; sets each row's error by constants that had not seen its
/// source (or its model, where one source has most).
std::vector<FittedStack> fit(std::vector<ServingRow>& rows);
void print(const std::vector<FittedStack>& stacks);

}  // namespace commcost::serving
