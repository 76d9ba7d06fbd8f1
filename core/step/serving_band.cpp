#include "core/step/serving_band.h"

#include "core/parallel/recipes.h"

namespace commcost {
namespace {

struct MeasuredClass {
  std::string_view recipe;
  Generation generation;
  ClassErrors errors;
};

using enum Generation;

// As `validation serving --fit` prints them.
constexpr MeasuredClass serving_classes[] = {
    {"faster-transformer", ampere, {215, 4.9, -0.133, 0.077}},
    {"gpt-fast", ampere, {13, 14.4, -0.134, 0.208}},
    {"tensorrt-llm", ampere, {33, 10.8, -0.337, 0.102}},
    {"tensorrt-llm", hopper, {40, 6.2, -0.264, 0.081}},
    {"tensorrt-llm", other, {3, 10.7, 0.093, 0.290}},
    {"vllm", amd, {16, 2.5, -0.040, 0.046}},
    {"vllm", ampere, {9, 18.7, -0.409, 0.048}},
    {"vllm", hopper, {35, 7.7, -0.248, 0.082}},
};

// One configuration measured twice, or by the next version of a stack, differs by 9 % in a quarter of cases.
constexpr double least_spread = 0.09;

}  // namespace

StepBand serving_band(const PlacedServing& placed) {
  const int place = placed.setting.pace.recipe;
  const std::string_view recipe = place < 0 ? "" : all_recipes()[static_cast<std::size_t>(place)].id;
  const Generation generation = accelerator_of(placed.machine).generation();
  // Nobody measured experts that travel, and stages but on one model.
  const bool alike = placed.setting.layout.expert_parallel == 1;
  ErrorSum same;
  ErrorSum similar;
  ErrorSum all;
  for (const MeasuredClass& row : serving_classes) {
    all.add(row.errors);
    if (row.recipe != recipe) continue;
    similar.add(row.errors);
    if (row.generation == generation && alike) same.add(row.errors);
  }
  return nearest_band(same, similar, all, least_spread);
}

}  // namespace commcost
