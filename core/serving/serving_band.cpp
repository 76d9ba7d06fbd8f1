#include "core/serving/serving_band.h"

#include "core/parallel/recipes.h"

namespace commcost {
namespace {

using enum Generation;
using enum RunKind;

constexpr double any_number = std::numeric_limits<double>::max();

// As `validation serving --fit` prints them.
constexpr MeasuredClass serving_classes[] = {
    {"faster-transformer", ampere, dense, any_number, {215, 5.5, -0.149, 0.082}, {"a100-sxm-80gb"}},
    {"gpt-fast", ampere, dense, any_number, {13, 15.3, 0.068, 0.311}, {"a100-sxm-80gb"}},
    {"tensorrt-llm",
     ampere,
     dense,
     any_number,
     {33, 10.1, -0.193, 0.169},
     {"a100-sxm-40gb", "a100-sxm-80gb"}},
    {"tensorrt-llm", hopper, dense, any_number, {40, 6.1, -0.300, 0.001}, {"h100-sxm"}},
    {"tensorrt-llm", ada, dense, any_number, {3, 25.2, 0.039, 0.422}, {"l40s"}},
    {"vllm", cdna3, dense, any_number, {16, 2.3, -0.061, 0.027}, {"mi300x"}},
    {"vllm", ampere, dense, any_number, {9, 7.2, -0.251, 0.036}, {"a100-sxm-40gb", "a100-sxm-80gb"}},
    {"vllm", hopper, dense, any_number, {35, 8.1, -0.178, 0.101}, {"h100-sxm", "h200-sxm"}},
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
