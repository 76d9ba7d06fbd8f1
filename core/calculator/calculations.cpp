#include "core/calculator/calculations.h"

namespace commcost {
namespace {

constexpr const Calculation* all[] = {
    &calculations::tensor_parallel_allreduce_cost,
    &calculations::communication_ledger,
    &calculations::hardware_catalog,
    &calculations::model_catalog,
};

}  // namespace

std::span<const Calculation* const> all_calculations() {
  return all;
}

const Calculation* find_calculation(std::string_view name) {
  for (const Calculation* calculation : all) {
    if (calculation->name == name) return calculation;
  }
  return nullptr;
}

}  // namespace commcost
