#include "core/step/step_band.h"

#include <algorithm>
#include <span>

#include "core/parallel/recipes.h"

namespace commcost {
namespace {

struct MeasuredClass {
  std::string_view recipe;
  Generation generation;
  RunKind kind;
  double most_gpus;  // among its runs
  ClassErrors errors;
};

using enum Generation;
using enum RunKind;

// As `validation steps --fit` prints them.
constexpr MeasuredClass training_classes[] = {
    {"deepspeed", amd, dense, 2048, {9, 5.3, -0.121, 0.068}},
    {"deepspeed", ampere, dense, 384, {69, 10.2, -0.230, 0.143}},
    {"fsdp", ampere, dense, 128, {89, 8.2, -0.276, 0.145}},
    {"fsdp", hopper, dense, 512, {34, 12.3, -0.580, 0.020}},
    {"maxtext", hopper, dense, 2048, {24, 6.8, -0.025, 0.107}},
    {"maxtext", tpu, dense, 8192, {33, 7.3, -0.087, 0.216}},
    {"maxtext", tpu, experts, 256, {5, 37.6, -0.731, -0.181}},
    {"megatron-2021", ampere, dense, 3360, {785, 5.6, -0.117, 0.138}},
    {"megatron-2021", volta, dense, 8, {4, 3.1, -0.004, 0.092}},
    {"megatron-core", amd, experts, 64, {1, 48.1, 0.392, 0.392}},
    {"megatron-core", ampere, dense, 256, {6, 24.7, -0.315, -0.244}},
    {"megatron-core", blackwell, dense, 512, {37, 7.5, -0.069, 0.212}},
    {"megatron-core", blackwell, experts, 512, {71, 11.3, -0.272, 0.113}},
    {"megatron-core", hopper, dense, 2304, {123, 3.9, -0.062, 0.074}},
    {"megatron-core", hopper, experts, 2048, {25, 5.7, -0.158, 0.104}},
    {"nanotron", hopper, dense, 512, {329, 7.6, -0.569, 0.074}},
    {"nanotron", hopper, staged, 512, {787, 14.3, -2.143, 0.153}},
    {"torchtitan", ampere, dense, 64, {5, 28.2, 0.228, 0.374}},
    {"torchtitan", hopper, dense, 256, {11, 18.5, -0.355, 0.120}},
};

std::string_view recipe_of(const Setting& setting) {
  const int place = setting.pace.recipe;
  return place < 0 ? "" : all_recipes()[static_cast<std::size_t>(place)].id;
}

}  // namespace

RunKind run_kind(const Setting& setting, const Machine& machine) {
  if (setting.shape.num_experts > 1) return experts;
  if (setting.layout.pipeline_parallel == 1) return dense;
  const std::string_view recipe = recipe_of(setting);
  const Generation generation = accelerator_of(machine).generation();
  const bool stalls =
      std::any_of(std::begin(training_classes), std::end(training_classes), [&](const MeasuredClass& row) {
        return row.recipe == recipe && row.generation == generation && row.kind == staged;
      });
  return stalls ? staged : dense;
}

StepBand step_band(const Setting& setting, const Machine& machine) {
  const std::string_view recipe = recipe_of(setting);
  const Generation generation = accelerator_of(machine).generation();
  const auto gpus = static_cast<double>(gpus_needed(setting.layout));
  const RunKind kind = run_kind(setting, machine);
  ErrorSum same;
  ErrorSum similar;
  ErrorSum of_its_kind;
  for (const MeasuredClass& row : training_classes) {
    if (row.kind == kind) of_its_kind.add(row.errors);
    if (row.recipe != recipe) continue;
    similar.add(row.errors);
    if (row.generation == generation && row.kind == kind && gpus <= row.most_gpus) same.add(row.errors);
  }
  return nearest_band(same, similar, of_its_kind);
}

}  // namespace commcost
