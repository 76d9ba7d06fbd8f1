#include "core/training/step_band.h"

#include <algorithm>

#include "core/parallel/recipes.h"

namespace commcost {
namespace {

using enum Generation;
using enum RunKind;

// As `validation steps --fit` prints them.
constexpr MeasuredClass training_classes[] = {
    {"deepspeed", cdna2, dense, 2048, {9, 5.3, -0.121, 0.068}, {"mi250x-gcd"}},
    {"deepspeed", ampere, dense, 384, {69, 10.2, -0.230, 0.143}, {"a100-sxm-80gb"}},
    {"fsdp", ampere, dense, 128, {89, 8.2, -0.276, 0.145}, {"a100-sxm-40gb", "a100-sxm-80gb"}},
    {"fsdp", hopper, dense, 512, {34, 12.3, -0.580, 0.020}, {"h100-sxm"}},
    {"maxtext", hopper, dense, 2048, {24, 6.8, -0.025, 0.107}, {"h100-sxm", "h200-sxm"}},
    {"maxtext",
     tpu,
     dense,
     8192,
     {33, 7.3, -0.087, 0.216},
     {"tpu-v4", "tpu-v5e", "tpu-v5p", "tpu-v6e", "tpu-v7x"}},
    {"maxtext", tpu, experts, 256, {5, 37.6, -0.731, -0.181}, {"tpu-v6e", "tpu-v7x"}},
    {"megatron-2021", ampere, dense, 3360, {785, 5.6, -0.117, 0.138}, {"a100-sxm-40gb", "a100-sxm-80gb"}},
    {"megatron-2021", volta, dense, 8, {4, 3.1, -0.004, 0.092}, {"v100-sxm"}},
    {"megatron-core", cdna4, experts, 64, {1, 48.1, 0.392, 0.392}, {"mi355x"}},
    {"megatron-core", ampere, dense, 256, {6, 24.7, -0.315, -0.244}, {"a100-sxm-80gb"}},
    {"megatron-core", blackwell, dense, 512, {37, 7.5, -0.069, 0.212}, {"b200", "gb200", "gb300"}},
    {"megatron-core", blackwell, experts, 512, {71, 11.3, -0.272, 0.113}, {"b200", "b300", "gb200", "gb300"}},
    {"megatron-core", hopper, dense, 2304, {123, 3.9, -0.062, 0.074}, {"h100-sxm"}},
    {"megatron-core", hopper, experts, 2048, {25, 5.7, -0.158, 0.104}, {"h100-sxm"}},
    {"nanotron", hopper, dense, 512, {329, 7.6, -0.569, 0.074}, {"h100-sxm"}},
    {"nanotron", hopper, staged, 512, {787, 14.3, -2.143, 0.153}, {"h100-sxm"}},
    {"torchtitan", ampere, dense, 64, {5, 28.2, 0.228, 0.374}, {"a100-sxm-80gb"}},
    {"torchtitan", hopper, dense, 256, {11, 18.5, -0.355, 0.120}, {"h100-sxm"}},
};

std::string_view recipe_of(const Job& job) {
  const int place = job.stack.recipe;
  return place < 0 ? "" : all_recipes()[static_cast<std::size_t>(place)].id;
}

}  // namespace

std::span<const MeasuredClass> measured_step_classes() {
  return training_classes;
}

RunKind run_kind(const Job& job) {
  if (job.model.num_experts > 1) return experts;
  if (job.layout.pipeline_parallel == 1) return dense;
  const std::string_view recipe = recipe_of(job);
  const Generation generation = accelerator_of(job.machine).generation;
  const bool stalls =
      std::any_of(std::begin(training_classes), std::end(training_classes), [&](const MeasuredClass& row) {
        return row.recipe == recipe && row.generation == generation && row.kind == staged;
      });
  return stalls ? staged : dense;
}

StepBand step_band(const Job& job) {
  return nearest_band(training_classes, {recipe_of(job), accelerator_of(job.machine), run_kind(job),
                                         static_cast<double>(gpus_needed(job.layout))});
}

}  // namespace commcost
