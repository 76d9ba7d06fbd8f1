#include "core/calculator/calculations.h"
#include "core/calculator/serving_fields.h"

namespace commcost::calculations {
namespace recipe_catalog_structs {

struct Nothing {};

/// What recipe_catalog gives.
struct Catalog {
  std::span<const Recipe> recipes = all_recipes();
};

}  // namespace recipe_catalog_structs

namespace {

using namespace recipe_catalog_structs;

constexpr std::array names = {
    result<&Recipe::id>("Name in links and calls"),
    result<&Recipe::name>("Name as written"),
    result<&Recipe::version>("Version of the stack that the values are of"),
    choice_result<&Recipe::use>(recipe_use_names, "Which kind of step it runs"),
};

constexpr std::array facts = {result<&Recipe::source>("Where the values come from")};

constexpr auto columns = joined(names, input_columns<recipe_work_fields, &Recipe::work>(),
                                input_columns<recipe_layout_fields, &Recipe::layout>(),
                                input_columns<pace_fields, &Recipe::pace>(),
                                input_columns<serving_pace_fields, &Recipe::serving>(), facts);

constexpr ResultField results[] = {
    rows_result<&Catalog::recipes>(columns, "Training and serving stacks, the usual one first")};

Outcome<Catalog> read(const Nothing&) {
  return Catalog{};
}

}  // namespace

const Calculation recipe_catalog = unswept_calculation<Nothing, Catalog, read, results>(
    "recipe_catalog", "What training and serving stacks do, each with its source", {});

}  // namespace commcost::calculations
