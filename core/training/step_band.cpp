#include "core/training/step_band.h"

#include <algorithm>

#include "core/parallel/recipes.h"

namespace commcost {
namespace {

using enum Generation;
using enum RunKind;

// As `validation steps --fit` prints them.
constexpr MeasuredClass training_classes[] = {
    {"deepspeed", cdna2, dense, 2048, {9, 2.1, -0.095, 0.100}, {"mi250x-gcd"}},
    {"deepspeed", ampere, dense, 384, {69, 6.2, -0.250, 0.074}, {"a100-sxm-80gb"}},
    {"fsdp", ampere, dense, 128, {89, 4.5, -0.137, 0.132}, {"a100-sxm-40gb", "a100-sxm-80gb"}},
    {"fsdp", hopper, dense, 512, {34, 8.3, -0.136, -0.006}, {"h100-sxm"}},
    {"maxtext", hopper, dense, 2048, {24, 7.4, -0.015, 0.123}, {"h100-sxm", "h200-sxm"}},
    {"maxtext",
     tpu,
     dense,
     8192,
     {33, 10.1, -0.114, 0.189},
     {"tpu-v4", "tpu-v5e", "tpu-v5p", "tpu-v6e", "tpu-v7x"}},
    {"maxtext", tpu, experts, 256, {5, 31.3, -0.674, -0.115}, {"tpu-v6e", "tpu-v7x"}},
    {"megatron-2021", ampere, dense, 3360, {785, 5.4, -0.100, 0.126}, {"a100-sxm-40gb", "a100-sxm-80gb"}},
    {"megatron-2021", volta, dense, 8, {4, 3.1, -0.006, 0.090}, {"v100-sxm"}},
    {"megatron-core", cdna4, experts, 64, {1, 85.7, 0.619, 0.619}, {"mi355x"}},
    {"megatron-core", ampere, dense, 256, {6, 28.5, -0.366, -0.296}, {"a100-sxm-80gb"}},
    {"megatron-core", blackwell, dense, 512, {37, 3.7, -0.147, 0.089}, {"b200", "gb200", "gb300"}},
    {"megatron-core", blackwell, experts, 512, {71, 13.1, -0.343, 0.075}, {"b200", "b300", "gb200", "gb300"}},
    {"megatron-core", hopper, dense, 2304, {123, 4.2, -0.038, 0.073}, {"h100-sxm"}},
    {"megatron-core", hopper, experts, 2048, {25, 6.5, -0.093, 0.136}, {"h100-sxm"}},
    {"nanotron", hopper, dense, 512, {329, 7.3, -0.570, 0.071}, {"h100-sxm"}},
    {"nanotron", hopper, staged, 512, {787, 13.9, -2.140, 0.151}, {"h100-sxm"}},
    {"torchtitan", ampere, dense, 64, {5, 2.9, -0.005, 0.133}, {"a100-sxm-80gb"}},
    {"torchtitan", hopper, dense, 256, {11, 10.3, -0.242, 0.068}, {"h100-sxm"}},
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
