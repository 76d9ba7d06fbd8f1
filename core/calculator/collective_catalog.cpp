#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/collective/method.h"

namespace commcost::calculations {
namespace collective_catalog_table {

struct Nothing {};

struct Catalog {
  std::span<const Method> methods = all_methods();
};

constexpr ResultField one_port_result() {
  return {"one_port", FieldKind::flag, "",
          "Whether a rank sends and receives at most one message at a time, and no switch adds",
          [](const ResultField&, const void* row, WireWriter& to) {
            to.flag(static_cast<const Method*>(row)->one_port());
          }};
}

constexpr ResultField columns[] = {
    choice_result<&Method::collective>(collective_names, "The collective"),
    choice_result<&Method::algorithm>(algorithm_names, "The algorithm"),
    result<&Method::ports>(
        "Maximum number of messages that a rank sends or receives in a round; 0: any number"),
    one_port_result(),
    result<&Method::grouped>("Whether the input group_size has an effect"),
    result<&Method::pipelined>("Whether the input pieces has an effect"),
    result<&Method::form>("Time for p ranks, n bytes in k pieces and m groups of g: α per message, β per "
                          "byte moved, γ per byte added"),
    result<&Method::source>("Source of the form"),
};

constexpr ResultField results[] = {
    rows_result<&Catalog::methods>(columns, "Every collective with each of its algorithms")};

Outcome<Catalog> read(const Nothing&) {
  return Catalog{};
}

constexpr Calculation table = unswept_calculation<Nothing, Catalog, read, results>(
    "collective_catalog", "Algorithms of each collective, and their closed forms", {});

}  // namespace collective_catalog_table

const Calculation collective_catalog = collective_catalog_table::table;

}  // namespace commcost::calculations
