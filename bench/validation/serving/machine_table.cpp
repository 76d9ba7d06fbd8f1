#include "bench/validation/serving/machine_table.h"

#include <cstdio>
#include <string>

#include "core/hardware/systems.h"
#include "core/model/catalog.h"
#include "core/parallel/recipes.h"
#include "core/serving/serving_step.h"

namespace commcost::validation::serving {
namespace {

struct Case {
  const char* model;
  const char* accelerator;
  int tensor, data, experts;
  int batch, context;
  double weight_bytes;
  MatmulPrecision precision;
  const char* recipe;
  double published_ms;  // a decode step; 0: none is published with its batch
  const char* source;
};

using enum MatmulPrecision;

constexpr Case cases[] = {
    {"llama-3.1-8b", "h100-sxm", 1, 1, 1, 16, 192, 2, stored, "tensorrt-llm", 1041.6 / 128,
     "LLM-Inference-Bench, 128/128, whole request"},
    {"llama-3.1-8b", "h200-sxm", 1, 1, 1, 8, 96, 2, stored, "vllm", 833.4 / 128,
     "vLLM CI build 9515, 32/128, whole request"},
    {"llama-3.1-8b", "b200", 1, 1, 1, 8, 2048, 2, stored, "vllm", 0, ""},
    {"llama-3.1-70b", "h100-sxm", 8, 1, 1, 16, 2048, 1, fp8, "vllm", 0, ""},
    {"llama-3.1-70b", "h100-sxm", 2, 1, 1, 1, 5250, 1, fp8, "tensorrt-llm", 18.58,
     "NIM 70B TP2, 5000/500, one request"},
    {"llama-3.1-70b", "h200-sxm", 4, 1, 1, 8, 96, 2, stored, "vllm", 2077.5 / 128,
     "vLLM CI build 9515, 32/128, whole request"},
    {"llama-3.1-70b", "b200", 4, 1, 1, 1, 600, 2, stored, "vllm", 12.88,
     "vllm PR#20759, one request a second: batch 1 or 2"},
    {"llama-3.1-405b", "h200-sxm", 8, 1, 1, 16, 2048, 1, fp8, "vllm", 0, ""},
    {"llama-3.1-405b", "b200", 8, 1, 1, 16, 2048, 1, fp8, "tensorrt-llm", 0, ""},
    {"deepseek-v3", "h200-sxm", 8, 1, 1, 16, 2048, 1, fp8, "sglang", 0, ""},
    {"deepseek-v3", "b200", 8, 1, 1, 1, 2048, 0.5625, nvfp4, "tensorrt-llm", 1e3 / 111,
     "TensorRT-LLM blog 1, no MTP, one request"},
    {"deepseek-v3", "gb200", 1, 32, 32, 64, 4096, 0.5625, nvfp4, "tensorrt-llm", 0, ""},
    {"llama-3.1-405b", "gb200", 16, 1, 1, 16, 2048, 1, fp8, "tensorrt-llm", 0, ""},
};

ServingStep step_of(const Case& one) {
  ServingStepInputs inputs;
  const Recipe& recipe = *find_recipe(one.recipe);
  fill(inputs.job, recipe);
  for (const auto& model : all_models())
    if (model.id == one.model) inputs.job.model = model.shape;
  inputs.job.layout.tensor_parallel = one.tensor;
  inputs.job.layout.data_parallel = one.data;
  inputs.job.layout.expert_parallel = one.experts;
  inputs.job.work.batch_size = one.batch;
  inputs.job.work.sequence_length = one.context;
  inputs.job.work.matmul_precision = one.precision;
  inputs.job.work.weight_bytes_per_element = one.weight_bytes;
  inputs.job.machine.accelerator = place_of_accelerator(one.accelerator);
  const Outcome<ServingStep> step = serving_step(inputs);
  return step ? *step : ServingStep{};
}

}  // namespace

void print_machines() {
  std::printf("\nDecode steps of today's models and machines; what nobody published stays empty\n");
  for (const Case& one : cases) {
    const ServingStep step = step_of(one);
    std::printf(
        "  %-15s %-9s tp %2d ep %2d batch %3d context %5d %-12s %6.2f ms (%5.2f to %5.2f), first token %7.1f "
        "ms, "
        "%s%s",
        one.model, one.accelerator, one.tensor, one.experts, one.batch, one.context, one.recipe,
        step.step_time_ms, step.step_time_low_ms, step.step_time_high_ms, step.first_token_ms,
        std::string(basis_names[static_cast<std::size_t>(step.basis)]).c_str(),
        step.fits ? "" : ", does not fit");
    if (one.published_ms > 0)
      std::printf("; published %.2f ms, error %+.0f %% (%s)", one.published_ms,
                  100 * (step.step_time_ms / one.published_ms - 1), one.source);
    std::printf("\n");
  }
}

}  // namespace commcost::validation::serving
