#pragma once

#include <span>
#include <string_view>

#include "core/calculator/calculation.h"

namespace commcost {

namespace calculations {
extern const Calculation tensor_parallel_allreduce_cost;
extern const Calculation communication_ledger;
extern const Calculation hardware_catalog;
extern const Calculation model_catalog;
}  // namespace calculations

/// Every calculation that takes inputs of its own; `sweep` and `describe` work on these.
std::span<const Calculation* const> all_calculations();

/// The calculation of that name, or null.
const Calculation* find_calculation(std::string_view name);

}  // namespace commcost
