#include "core/serving/serving_band.h"

#include "core/parallel/recipes.h"

namespace commcost {
namespace {

using enum Generation;
using enum RunKind;

constexpr double any_number = std::numeric_limits<double>::max();

// As `validation serving --fit` prints them.
constexpr MeasuredClass serving_classes[] = {
    {"faster-transformer", ampere, dense, any_number, {215, 4.9, -0.133, 0.077}, {"a100-sxm-80gb"}},
    {"gpt-fast", ampere, dense, any_number, {13, 14.4, -0.134, 0.208}, {"a100-sxm-80gb"}},
    {"tensorrt-llm",
     ampere,
     dense,
     any_number,
     {33, 10.8, -0.337, 0.102},
     {"a100-sxm-40gb", "a100-sxm-80gb"}},
    {"tensorrt-llm", hopper, dense, any_number, {40, 6.2, -0.264, 0.081}, {"h100-sxm"}},
    {"tensorrt-llm", ada, dense, any_number, {3, 10.7, 0.093, 0.290}, {"l40s"}},
    {"vllm", cdna3, dense, any_number, {16, 2.5, -0.040, 0.046}, {"mi300x"}},
    {"vllm", ampere, dense, any_number, {9, 18.7, -0.409, 0.048}, {"a100-sxm-40gb", "a100-sxm-80gb"}},
    {"vllm", hopper, dense, any_number, {35, 7.7, -0.248, 0.082}, {"h100-sxm", "h200-sxm"}},
};

// One configuration measured twice, or by the next version of a stack, differs by 9 % in a quarter of cases.
constexpr double least_spread = 0.09;

}  // namespace

std::span<const MeasuredClass> measured_serving_classes() {
  return serving_classes;
}

StepBand serving_band(const Job& job) {
  const int place = job.stack.recipe;
  const std::string_view recipe = place < 0 ? "" : all_recipes()[static_cast<std::size_t>(place)].id;
  // Experts that travel are like nothing that was measured.
  const bool alike = job.layout.expert_parallel == 1;
  return nearest_band(
      serving_classes,
      {recipe, accelerator_of(job.machine), dense, alike ? 1 : std::numeric_limits<double>::infinity()},
      least_spread);
}

}  // namespace commcost
