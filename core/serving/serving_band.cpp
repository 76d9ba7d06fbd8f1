#include "core/serving/serving_band.h"

#include <limits>

#include "core/parallel/recipes.h"

namespace commcost {
namespace {

using enum Generation;
using enum RunKind;

// Experts that travel are like nothing that was measured; the rest is judged alike, however many GPUs there
// are.
constexpr double any = std::numeric_limits<double>::infinity();
constexpr Reach reach = {any, any, any, any, any, any, 1};

// As `validation serving --fit` prints them.
// clang-format off
constexpr MeasuredClass serving_classes[] = {
    {"faster-transformer", "a100-sxm-80gb", ampere, dense, {7, 215, 5.9, -0.182, -0.011, 0.108}, reach},
    {"gpt-fast", "a100-sxm-80gb", ampere, dense, {4, 13, 9.0, 0.067, 0.079, 0.294}, reach},
    {"tensorrt-llm", "a100-sxm-40gb", ampere, dense, {3, 29, 9.9, -1.841, 0.047, 0.164}, reach},
    {"tensorrt-llm", "a100-sxm-80gb", ampere, dense, {2, 4, 1.7, -0.174, -0.160, -0.008}, reach},
    {"tensorrt-llm", "h100-sxm", hopper, dense, {7, 40, 5.4, -0.414, -0.056, -0.000}, reach},
    {"tensorrt-llm", "l40s", ada, dense, {2, 3, 25.3, -0.006, 0.226, 0.473}, reach},
    {"vllm", "a100-sxm-40gb", ampere, dense, {2, 2, 0.1, 0.001, 0.001, 0.024}, reach},
    {"vllm", "a100-sxm-80gb", ampere, dense, {1, 7, 13.5, -0.300, -0.145, 0.070}, reach},
    {"vllm", "h100-sxm", hopper, dense, {4, 32, 9.0, -0.125, -0.006, 0.134}, reach},
    {"vllm", "h200-sxm", hopper, dense, {3, 3, 9.6, 0.077, 0.092, 0.120}, reach},
    {"vllm", "mi300x", cdna3, dense, {2, 16, 2.3, -0.090, -0.002, 0.028}, reach},
};
// clang-format on

// One configuration measured twice, or by the next version of a stack, differs by 9 % in a quarter of cases.
constexpr double least_spread = 0.09;

}  // namespace

std::span<const MeasuredClass> measured_serving_classes() {
  return serving_classes;
}

StepBand serving_band(const Job& job) {
  const int place = job.stack.recipe;
  const std::string_view recipe = place < 0 ? "" : all_recipes()[static_cast<std::size_t>(place)].id;
  const Reach at = {1, 1, 1, 1, 1, 1, static_cast<double>(job.layout.expert_parallel)};
  return nearest_band(serving_classes, {recipe, accelerator_of(job.machine), dense, at}, least_spread);
}

}  // namespace commcost
