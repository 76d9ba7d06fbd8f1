#include "core/training/step_band.h"

#include <algorithm>

#include "core/parallel/recipes.h"

namespace commcost {
namespace {

using enum Generation;
using enum RunKind;

// As `validation steps --fit` prints them.
// clang-format off
constexpr MeasuredClass training_classes[] = {
    {"deepspeed", "a100-sxm-80gb", ampere, dense, {8, 69, 6.1, -0.241, -0.029, 0.059}, {384, 2048, 1, 8, 24, 1, 1, 1, 14400, 106}},
    {"deepspeed", "mi250x-gcd", cdna2, dense, {9, 9, 2.2, -0.113, 0.017, 0.153}, {2048, 2048, 1, 8, 8, 1, 1, 0, 14336, 80}},
    {"fsdp", "a100-sxm-40gb", ampere, dense, {7, 66, 4.9, -0.168, -0.026, 0.133}, {128, 32768, 1, 1, 1, 1, 1, 3, 8192, 80}},
    {"fsdp", "a100-sxm-80gb", ampere, dense, {5, 23, 4.1, -0.057, 0.034, 0.219}, {128, 65536, 1, 1, 1, 1, 1, 3, 8192, 48}},
    {"fsdp", "h100-sxm", hopper, dense, {4, 34, 7.5, -0.141, -0.077, -0.018}, {512, 65536, 1, 1, 1, 1, 1, 3, 8192, 80}},
    {"maxtext", "h100-sxm", hopper, dense, {5, 23, 6.0, -0.054, 0.059, 0.125}, {2048, 8192, 1, 1, 1, 1, 1, 3, 8192, 80}},
    {"maxtext", "h200-sxm", hopper, dense, {1, 1, 1.8, 0.017, 0.017, 0.017}, {256, 8192, 1, 1, 1, 1, 1, 3, 8192, 80}},
    {"maxtext", "tpu-v4", tpu, dense, {2, 6, 5.0, -0.075, -0.061, -0.001}, {512, 2048, 1, 1, 1, 1, 1, 3, 12288, 48}},
    {"maxtext", "tpu-v5e", tpu, dense, {1, 6, 20.2, 0.147, 0.184, 0.190}, {8192, 2048, 1, 1, 1, 1, 1, 3, 8192, 32}},
    {"maxtext", "tpu-v5p", tpu, dense, {4, 12, 6.9, -0.157, -0.072, 0.062}, {4096, 2048, 1, 16, 1, 1, 1, 3, 16384, 128}},
    {"maxtext", "tpu-v6e", tpu, dense, {5, 5, 27.4, -0.153, 0.242, 0.292}, {1024, 32768, 1, 1, 1, 1, 1, 3, 12288, 96}},
    {"maxtext", "tpu-v6e", tpu, experts, {2, 2, 3.7, -0.229, -0.229, -0.038}, {256, 4096, 8, 1, 1, 1, 1, 3, 6144, 56}},
    {"maxtext", "tpu-v7x", tpu, dense, {2, 4, 6.1, -0.092, -0.092, -0.029}, {256, 131072, 1, 1, 1, 8, 1, 3, 16384, 126}},
    {"maxtext", "tpu-v7x", tpu, experts, {2, 3, 31.1, -0.674, -0.673, -0.372}, {256, 8192, 128, 1, 1, 1, 1, 3, 4096, 94}},
    {"megatron-2021", "a100-sxm-40gb", ampere, dense, {8, 8, 3.7, -0.065, -0.040, 0.028}, {1024, 1024, 1, 8, 1, 1, 1, 0, 4096, 42}},
    {"megatron-2021", "a100-sxm-80gb", ampere, dense, {26, 777, 3.0, -0.089, -0.023, 0.042}, {3360, 2048, 1, 8, 64, 1, 1, 0, 25600, 128}},
    {"megatron-2021", "v100-sxm", volta, dense, {4, 4, 1.0, -0.010, 0.003, 0.108}, {8, 1024, 1, 8, 1, 1, 1, 0, 4096, 42}},
    {"megatron-core", "a100-sxm-80gb", ampere, dense, {1, 6, 28.2, -0.391, -0.335, -0.277}, {256, 2048, 1, 1, 1, 1, 1, 1, 4096, 24}},
    {"megatron-core", "b200", blackwell, dense, {2, 2, 3.3, 0.032, 0.032, 0.033}, {128, 8192, 1, 4, 8, 2, 1, 1, 16384, 126}},
    {"megatron-core", "b200", blackwell, experts, {11, 11, 23.1, -0.803, -0.263, 0.021}, {64, 4096, 128, 1, 1, 1, 64, 1, 2880, 48}},
    {"megatron-core", "b300", blackwell, experts, {17, 17, 17.2, -0.358, -0.150, 0.066}, {256, 4096, 256, 1, 16, 1, 64, 1, 7168, 94}},
    {"megatron-core", "gb200", blackwell, dense, {12, 14, 3.5, -0.225, -0.015, 0.095}, {512, 8192, 1, 4, 16, 2, 1, 1, 16384, 126}},
    {"megatron-core", "gb200", blackwell, experts, {26, 30, 6.1, -0.360, -0.048, 0.159}, {512, 8192, 256, 4, 8, 1, 64, 1, 7168, 94}},
    {"megatron-core", "gb300", blackwell, dense, {21, 21, 4.1, -0.053, 0.028, 0.086}, {256, 8192, 1, 4, 8, 2, 1, 1, 16384, 126}},
    {"megatron-core", "gb300", blackwell, experts, {13, 13, 6.4, -0.292, -0.008, 0.062}, {256, 8192, 384, 1, 4, 1, 64, 1, 7168, 94}},
    {"megatron-core", "h100-sxm", hopper, dense, {53, 123, 4.2, -0.031, 0.037, 0.105}, {2304, 1048576, 1, 8, 9, 32, 1, 1, 16384, 126}},
    {"megatron-core", "h100-sxm", hopper, experts, {20, 25, 7.7, -0.115, 0.043, 0.170}, {2048, 8192, 256, 4, 8, 2, 128, 1, 7168, 64}},
    {"megatron-core", "mi355x", cdna4, experts, {1, 1, 85.0, 0.615, 0.615, 0.615}, {64, 8192, 8, 1, 4, 1, 8, 1, 6144, 56}},
    {"nanotron", "h100-sxm", hopper, dense, {6, 329, 7.4, -0.573, -0.038, 0.086}, {512, 4096, 1, 32, 1, 1, 1, 1, 3072, 28}},
    {"nanotron", "h100-sxm", hopper, staged, {2, 787, 14.4, -2.135, -0.051, 0.156}, {512, 4096, 1, 32, 16, 1, 1, 1, 3072, 28}},
    {"torchtitan", "a100-sxm-80gb", ampere, dense, {2, 5, 2.9, -0.019, 0.029, 0.172}, {64, 4096, 1, 1, 1, 1, 1, 3, 8192, 80}},
    {"torchtitan", "h100-sxm", hopper, dense, {5, 11, 9.1, -0.240, -0.090, 0.070}, {256, 8192, 1, 8, 1, 1, 1, 3, 16384, 126}},
};
// clang-format on

// How far stacks are from the recipe `other`: all stacks as one, widened for the uncertainty about a further
// one. As `validation steps --other` prints it.
constexpr SeriesErrors unmeasured_stacks = {287, 2447, 15.6, -0.419, -0.072, 0.201};

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

Reach reach_of(const Job& job) {
  const Layout& layout = job.layout;
  const auto number = [](std::int64_t value) { return static_cast<double>(value); };
  return {number(gpus_needed(layout)),    number(job.work.sequence_length), number(job.model.num_experts),
          number(layout.tensor_parallel), number(layout.pipeline_parallel), number(layout.context_parallel),
          number(layout.expert_parallel), number(layout.zero_stage),        number(job.model.hidden_size),
          number(job.model.num_layers)};
}

StepBand step_band(const Job& job) {
  // No published run keeps anything on the host: treated as a stack that has no runs.
  return nearest_band(
      training_classes,
      {offloads(job.work) ? "" : recipe_of(job), accelerator_of(job.machine), run_kind(job), reach_of(job)},
      0, &unmeasured_stacks);
}

}  // namespace commcost
