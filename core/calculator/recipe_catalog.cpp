#include "core/calculator/calculations.h"
#include "core/calculator/fills.h"
#include "core/calculator/serving_fields.h"

namespace commcost::calculations {
namespace recipe_catalog_table {

struct Nothing {};

/// What recipe_catalog gives.
struct Catalog {
  std::span<const Recipe> recipes = all_recipes();
};

constexpr FieldGroup stack_groups[] = {
    of_job<ServingStepInputs>(recipe_field),
    of_job<ServingStepInputs, &Job::work>(recipe_work_fields),
    of_job<ServingStepInputs, &Job::layout>(recipe_layout_fields),
    of_job<ServingStepInputs, &Job::stack>(stack_fields),
    of_job<ServingStepInputs, &Job::stack, &Stack::serving>(serving_stack_fields),
};

constexpr ResultField columns[] = {
    result<&Recipe::id>("Name in links and calls"),
    result<&Recipe::name>("Name as written"),
    result<&Recipe::version>("Version of the stack that the values describe"),
    choice_result<&Recipe::use>(recipe_use_names, "Kind of step that it runs"),
    derived_text<Recipe, [](const Recipe& row) { return hardware_of(row.runs_on); }>(
        "runs_on", "Accelerators that it runs on"),
    derived_text<Recipe, [](const Recipe& row) { return hardware_of(row.ported_to); }>(
        "ported_to", "Accelerators that a fork or plugin of it runs on; empty: none is known"),
    fills_result<ServingStepInputs, stack_groups, all_recipes>("Inputs that it fills, with their values"),
    result<&Recipe::source>("Source of the values"),
};

constexpr ResultField results[] = {
    rows_result<&Catalog::recipes>(columns, "Training and serving stacks, the usual one first")};

Outcome<Catalog> read(const Nothing&) {
  return Catalog{};
}

constexpr Calculation table = unswept_calculation<Nothing, Catalog, read, results>(
    "recipe_catalog", "Training and serving stacks, with their defaults and sources", {});

}  // namespace recipe_catalog_table

const Calculation recipe_catalog = recipe_catalog_table::table;

}  // namespace commcost::calculations
