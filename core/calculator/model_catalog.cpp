#include "core/calculator/calculations.h"
#include "core/calculator/fills.h"
#include "core/calculator/job_fields.h"
#include "core/model/catalog.h"
#include "core/model/parameters.h"

namespace commcost::calculations {
namespace model_catalog_table {

/// What model_catalog gives.
struct ModelCatalog {
  std::span<const ModelRow> models = all_models();
};

struct Nothing {};

using Catalog = ModelCatalog;

// A column that follows from the shape.
template <auto Number>
constexpr ResultField derived(std::string_view name, std::string_view help) {
  return {name, FieldKind::whole, "", help, [](const ResultField&, const void* row, WireWriter& to) {
            to.number(Number(static_cast<const ModelRow*>(row)->shape));
          }};
}

double all_parameters(const ModelShape& shape) {
  return parameters_of(shape).total;
}

double active_parameters(const ModelShape& shape) {
  return parameters_of(shape).active;
}

constexpr ResultField hub_precision = [] {
  ResultField field{"hub_matmul_precision", FieldKind::choice, "",
                    "Precision in which the published checkpoint multiplies",
                    [](const ResultField& self, const void* row, WireWriter& to) {
                      const MatmulPrecision products = hub_products(*static_cast<const ModelRow*>(row));
                      to.text(self.choices[static_cast<std::size_t>(products)]);
                    }};
  field.choices = matmul_precision_names;
  return field;
}();

constexpr FieldGroup shape_groups[] = {group<ModelShape>(model_field), group<ModelShape>(model_shape_fields)};

// With the exercise's all-reduces, which follow from the shape.
constexpr ResultField fills{"fills", FieldKind::object, "", "Inputs that it fills, with their values",
                            [](const ResultField&, const void* row, WireWriter& to) {
                              ModelShape shape;
                              const auto at = static_cast<const ModelRow*>(row) - all_models().data();
                              Value filled = fills_of(shape_groups, &shape, static_cast<std::size_t>(at));
                              Value::Object all = *filled.object();
                              all.push_back({"allreduces_per_layer", sums_per_layer(shape)});
                              to.value(all);
                            }};

constexpr std::array names = {
    result<&ModelRow::id>("Name in links and calls"),
    result<&ModelRow::name>("Name as written"),
    result<&ModelRow::family>("Models listed together"),
    result<&ModelRow::hub_ids>("Repositories on huggingface.co, separated by spaces"),
};

constexpr std::array facts = {
    derived<all_parameters>("parameters", "Parameters, counted from the shape"),
    derived<active_parameters>("active_parameters", "Parameters active for one token"),
    derived<sums_per_layer>("allreduces_per_layer",
                            "Tensor-parallel all-reduces of a layer in a forward pass"),
    result<&ModelRow::context_length>("Context length in tokens").in("tokens"),
    result<&ModelRow::published_params_billion>("Parameters, as published").in("1e9"),
    result<&ModelRow::hub_weight_bytes>("Bytes of a weight of the layers as published, scales included"),
    hub_precision,
    fills,
    result<&ModelRow::source>("Source of the shape"),
};

constexpr auto columns = joined(names, input_columns<model_shape_fields, &ModelRow::shape>(), facts);

constexpr ResultField results[] = {rows_result<&Catalog::models>(columns, "Published models")};

Outcome<Catalog> read(const Nothing&) {
  return Catalog{};
}

constexpr Calculation table = unswept_calculation<Nothing, Catalog, read, results>(
    "model_catalog", "Shapes of published models, each with its source", {});

}  // namespace model_catalog_table

const Calculation model_catalog = model_catalog_table::table;

}  // namespace commcost::calculations
