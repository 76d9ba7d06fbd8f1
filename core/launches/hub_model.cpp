#include "core/launches/hub_model.h"

namespace commcost::launches {
namespace {

/// Name endings of quantized copies, as used by their publishers: NVIDIA, RedHatAI and the models' authors.
struct CopyEnd {
  std::string_view end;  ///< of the repository's name
  double weight_bytes;
  MatmulPrecision products;
};
constexpr CopyEnd copy_ends[] = {
    {"-FP8", 1, MatmulPrecision::fp8},
    {"-FP8-dynamic", 1, MatmulPrecision::fp8},
    {"-FP8-KV", 1, MatmulPrecision::fp8},
    {"-FP4", nvfp4_bytes, MatmulPrecision::nvfp4},
    {"-FP4-v2", nvfp4_bytes, MatmulPrecision::nvfp4},
    {"-NVFP4", nvfp4_bytes, MatmulPrecision::nvfp4},
    {"-NVFP4-v2", nvfp4_bytes, MatmulPrecision::nvfp4},
    {"-AWQ", 0.5, MatmulPrecision::stored},
    {"-GPTQ-Int4", 0.5, MatmulPrecision::stored},
    {"-BF16", 2, MatmulPrecision::stored},
};

bool ends_with(std::string_view name, std::string_view end) {
  return name.size() > end.size() && names_one_of(end, name.substr(name.size() - end.size()));
}

void take_as(LaunchedJob& launched, const ModelRow& model, double weight_bytes, MatmulPrecision products) {
  launched.model = &model;
  launched.job.model = completed(model.shape);
  Work& work = launched.job.work;
  work.weight_bytes_per_element =
      weight_bytes == static_cast<double>(work.bytes_per_element) ? 0 : weight_bytes;
  work.matmul_precision = products;
}

}  // namespace

std::string hub_model(const LaunchedJob& launched) {
  const std::string_view name = hub_name(launched);
  return name.empty() ? std::string("\"$MODEL\"") : std::string(name);
}

double hub_weight_bytes(const LaunchedJob& launched) {
  const bool quantized = launched.model != nullptr && launched.model->hub_weight_bytes < 2;
  return quantized ? launched.model->hub_weight_bytes
                   : static_cast<double>(launched.job.work.bytes_per_element);
}

Taken take_hub_model(LaunchedJob& launched, std::string_view value) {
  if (const ModelRow* model = find_model_of_hub(value)) {
    const bool quantized = launched.job.work.mode != Mode::training && model->hub_weight_bytes < 2;
    take_as(launched, *model, quantized ? model->hub_weight_bytes : 0,
            quantized ? hub_products(*model) : MatmulPrecision::stored);
    return Taken::yes;
  }
  const std::string_view name = value.substr(value.find_last_of('/') + 1);
  for (const CopyEnd& copy : copy_ends) {
    if (!ends_with(name, copy.end)) continue;
    const ModelRow* model = find_model_of_copy(name.substr(0, name.size() - copy.end.size()));
    if (model == nullptr) continue;
    take_as(launched, *model, copy.weight_bytes, copy.products);
    return Taken::yes;
  }
  return Taken::no;
}

}  // namespace commcost::launches
