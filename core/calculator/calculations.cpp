#include "core/calculator/calculations.h"

#include <array>
#include <cstddef>
#include <map>

namespace commcost {
namespace {

struct CalculationRow {
  const Calculation* calculation;
  ModulePart part;
};

// wasm/parts/mark.mjs reads this table by its name.
constexpr CalculationRow calculation_rows[] = {
    {&calculations::tensor_parallel_allreduce_cost, ModulePart::first},
    {&calculations::check_answers, ModulePart::practice},
    {&calculations::draw_exercise, ModulePart::practice},
    {&calculations::pose_exercise, ModulePart::practice},
    {&calculations::collective_cost, ModulePart::rounds},
    {&calculations::collective_schedule, ModulePart::schedule},
    {&calculations::collective_timeline, ModulePart::rounds},
    {&calculations::collective_crossovers, ModulePart::rounds},
    {&calculations::collective_catalog, ModulePart::rounds},
    {&calculations::communication_ledger, ModulePart::rest},
    {&calculations::model_sizes, ModulePart::sizes},
    {&calculations::overlap_ratio, ModulePart::overlap},
    {&calculations::layer_timeline, ModulePart::layer},
    {&calculations::kernel_time, ModulePart::rest},
    {&calculations::host_copy_time, ModulePart::rest},
    {&calculations::layer_roofline, ModulePart::rest},
    {&calculations::partition_schemes, ModulePart::rest},
    {&calculations::hardware_catalog, ModulePart::first},
    {&calculations::model_catalog, ModulePart::first},
    {&calculations::recipe_catalog, ModulePart::first},
    {&calculations::read_model_config, ModulePart::rest},
    {&calculations::model_remarks, ModulePart::rest},
    {&calculations::predict_collective, ModulePart::network},
    {&calculations::fit_collective, ModulePart::rest},
    {&calculations::measurements, ModulePart::measured},
    {&calculations::training_step, ModulePart::training},
    {&calculations::fit_step, ModulePart::rest},
    {&calculations::read_training_log, ModulePart::rest},
    {&calculations::serving_step, ModulePart::serving},
    {&calculations::plan_serving, ModulePart::serving},
    {&calculations::serving_load, ModulePart::rest},
    {&calculations::serving_roofline, ModulePart::rest},
    {&calculations::plan_goodput, ModulePart::rest},
    {&calculations::read_benchmark, ModulePart::rest},
    {&calculations::fit_serving, ModulePart::rest},
    {&calculations::project_scaling, ModulePart::rest},
    {&calculations::data_or_tensor, ModulePart::rest},
    {&calculations::overlap_gain, ModulePart::rest},
    {&calculations::trace_breakdown, ModulePart::rest},
    {&calculations::read_gpu_samples, ModulePart::rest},
    {&calculations::diagnose, ModulePart::rest},
    {&calculations::plan, ModulePart::training},
    {&calculations::plan_scaling, ModulePart::scaling},
    {&calculations::plan_machines, ModulePart::rest},
    {&calculations::export_layout, ModulePart::rest},
    {&calculations::export_deployment, ModulePart::rest},
    {&calculations::read_arguments, ModulePart::rest},
    {&calculations::bandwidth_conversions, ModulePart::rest},
};

// Where rows of tables hold their help, and how to reach them: wasm/parts/help.mjs finds the texts by this.
[[gnu::used]] constexpr std::int32_t help_places[] = {
    offsetof(Calculation, help),
    offsetof(Calculation, inputs),
    offsetof(Calculation, results),
    offsetof(FieldGroup, fields),
    sizeof(FieldGroup),
    offsetof(InputField, field) + offsetof(Field, help),
    sizeof(InputField),
    offsetof(ResultField, help),
    offsetof(ResultField, columns),
    sizeof(ResultField),
};

constexpr auto all = [] {
  std::array<const Calculation*, std::size(calculation_rows)> calculations{};
  for (std::size_t place = 0; place < calculations.size(); ++place) {
    calculations[place] = calculation_rows[place].calculation;
  }
  return calculations;
}();

}  // namespace

std::span<const Calculation* const> all_calculations() {
  return all;
}

ModulePart part_of(const Calculation& calculation) {
  for (const CalculationRow& row : calculation_rows) {
    if (row.calculation == &calculation) return row.part;
  }
  return ModulePart::rest;
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
