#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/model_shape_fields.h"
#include "core/calculator/serving_fields.h"
#include "core/logs/model_config.h"
#include "core/model/catalog.h"
#include "core/model/parameters.h"

namespace commcost::calculations {
namespace read_model_config_table {

/// What read_model_config takes.
struct ModelConfigInputs {
  std::string config;
};

/// The model that a configuration describes.
struct ConfiguredModel {
  std::string model_type;
  std::string_view model;
  ModelShape shape;
  double parameters = 0;
  double context_length = 0;
  double weight_bytes_per_element = 0;
  double kv_bytes_per_element = 0;
  std::vector<ConfigRemark> remarks;
};

using Inputs = ModelConfigInputs;
using Results = ConfiguredModel;

constexpr InputField fields[] = {
    text<&Inputs::config>(longest_config, "A config.json as the transformers library writes it")};

constexpr FieldGroup groups[] = {group<Inputs>(fields)};

constexpr ResultField remark_columns[] = {
    result<&ConfigRemark::key>("The key in the configuration"),
    result<&ConfigRemark::says>("The remark: what the shape leaves out or replaces"),
    result<&ConfigRemark::left_out>("Its short form, as model_remarks takes it; empty: about a guess"),
};

constexpr std::array names = {
    result<&Results::model_type>("The architecture, as the configuration names it"),
    result<&Results::model>("Id in model_catalog of a model of that shape; empty: none"),
};

constexpr std::array facts = {
    whole_result<&Results::parameters>("Parameters, counted from the shape"),
    whole_result<&Results::context_length>("Context length in tokens; 0: not stated").in("tokens"),
    given_back<&Results::weight_bytes_per_element>(serving_type_fields),
    given_back<&Results::kv_bytes_per_element>(serving_type_fields),
    rows_result<&Results::remarks>(
        remark_columns, "Parts of the model that were left out, guessed, or counted as something similar"),
};

constexpr auto results = joined(names, input_columns<model_shape_fields, &Results::shape>(), facts);

// Of the models of that shape the one made for as many tokens, or the first; empty where there is none.
std::string_view catalog_id(const ModelConfig& read) {
  std::string_view id;
  for (const ModelRow& row : all_models()) {
    if (completed(row.shape) != read.shape) continue;
    if (static_cast<double>(row.context_length) == read.context_length) return row.id;
    if (id.empty()) id = row.id;
  }
  return id;
}

Outcome<Results> compute(const Inputs& inputs) {
  Outcome<ModelConfig> config = commcost::read_model_config(inputs.config);
  if (!config) return config.problems();
  ModelConfig read = std::move(config).value();
  Results found;
  found.model_type = read.model_type;
  found.model = catalog_id(read);
  found.shape = read.shape;
  found.parameters = parameters_of(read.shape).total;
  found.context_length = read.context_length;
  found.weight_bytes_per_element = read.quantization.weight_bytes;
  found.kv_bytes_per_element = read.quantization.cache_bytes;
  found.remarks = std::move(read.remarks);
  return found;
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "read_model_config", "A model's shape from its Hugging Face config.json", groups);

}  // namespace read_model_config_table

const Calculation read_model_config = read_model_config_table::table;

}  // namespace commcost::calculations
