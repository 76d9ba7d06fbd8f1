#include "core/calculator/calculations.h"

#include <map>

namespace commcost {
namespace {

constexpr const Calculation* all[] = {
    &calculations::tensor_parallel_allreduce_cost,
    &calculations::check_answers,
    &calculations::draw_exercise,
    &calculations::pose_exercise,
    &calculations::collective_cost,
    &calculations::collective_schedule,
    &calculations::collective_timeline,
    &calculations::collective_crossovers,
    &calculations::collective_catalog,
    &calculations::communication_ledger,
    &calculations::model_sizes,
    &calculations::overlap_ratio,
    &calculations::layer_timeline,
    &calculations::layer_roofline,
    &calculations::partition_schemes,
    &calculations::hardware_catalog,
    &calculations::model_catalog,
    &calculations::recipe_catalog,
    &calculations::read_model_config,
    &calculations::predict_collective,
    &calculations::fit_collective,
    &calculations::measurements,
    &calculations::training_step,
    &calculations::fit_step,
    &calculations::read_training_log,
    &calculations::serving_step,
    &calculations::plan_serving,
    &calculations::project_scaling,
    &calculations::trace_breakdown,
    &calculations::plan,
    &calculations::plan_scaling,
    &calculations::export_layout,
    &calculations::bandwidth_conversions,
};

}  // namespace

std::span<const Calculation* const> all_calculations() {
  return all;
}

const FieldIndex& fields_of(const Calculation& calculation) {
  static std::map<const Calculation*, FieldIndex> indexes;
  return indexes.try_emplace(&calculation, calculation.inputs).first->second;
}

const Calculation* find_calculation(std::string_view name) {
  for (const Calculation* calculation : all) {
    if (calculation->name == name) return calculation;
  }
  return nullptr;
}

}  // namespace commcost
