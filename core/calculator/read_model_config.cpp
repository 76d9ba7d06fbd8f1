#include "core/base/name_list.h"
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
    result<&ConfigRemark::left_out>(
        "Its short form, as model_remarks takes it; empty: the remark is about a guess"),
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

// Models of that shape, those that fit the rest of the configuration best; empty where there are none.
std::vector<const ModelRow*> alike(const ModelConfig& read) {
  std::vector<const ModelRow*> best;
  int best_fit = 0;
  for (const ModelRow& row : all_models()) {
    const bool own_type = row.model_type == read.model_type;
    if (completed(row.shape) != read.shape || (!row.model_type.empty() && !own_type)) continue;
    const bool as_long = static_cast<double>(row.context_length) == read.context_length;
    const int fit = (own_type ? 2 : 0) + (as_long ? 1 : 0);
    if (fit > best_fit) best.clear();
    if (fit < best_fit) continue;
    best_fit = fit;
    best.push_back(&row);
  }
  return best;
}

// "DeepSeek-V3 and DeepSeek-R1"
std::string names_of(const std::vector<const ModelRow*>& models) {
  std::vector<std::string_view> names;
  for (const ModelRow* model : models) names.push_back(model->name);
  return in_words(names, " and ");
}

Outcome<Results> compute(const Inputs& inputs) {
  Outcome<ModelConfig> config = commcost::read_model_config(inputs.config);
  if (!config) return config.problems();
  ModelConfig read = std::move(config).value();
  Results found;
  found.model_type = read.model_type;
  found.shape = read.shape;
  found.parameters = parameters_of(read.shape).total;
  found.context_length = read.context_length;
  found.weight_bytes_per_element = read.quantization.weight_bytes;
  found.kv_bytes_per_element = read.quantization.cache_bytes;
  found.remarks = std::move(read.remarks);
  const std::vector<const ModelRow*> models = alike(read);
  if (!models.empty()) found.model = models.front()->id;
  if (models.size() > 1)
    found.remarks.push_back(
        {"model_type", names_of(models) + " have this configuration; the first is taken", ""});
  return found;
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "read_model_config", "A model's shape from its Hugging Face config.json", groups);

}  // namespace read_model_config_table

const Calculation read_model_config = read_model_config_table::table;

}  // namespace commcost::calculations
