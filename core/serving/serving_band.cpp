#include "core/serving/serving_band.h"

#include <algorithm>
#include <limits>

#include "core/parallel/recipes.h"

namespace commcost {
namespace {

using enum Generation;
using enum RunKind;

// Experts spread over GPUs are unlike anything that was measured; the rest is judged alike, however many GPUs
// there are.
constexpr double any = std::numeric_limits<double>::infinity();
constexpr Reach reach = {any, any, any, any, any, any, 1, any, any, any};

// As `validation serving --fit` prints them.
// clang-format off
constexpr MeasuredClass serving_classes[] = {
    {"faster-transformer", "a100-sxm-80gb", ampere, dense, {7, 215, 4.5, -0.172, -0.020, 0.089}, reach},
    {"gpt-fast", "a100-sxm-80gb", ampere, dense, {4, 13, 9.1, 0.069, 0.083, 0.310}, reach},
    {"tensorrt-llm", "a100-sxm-40gb", ampere, dense, {3, 29, 11.4, -1.839, 0.050, 0.166}, reach},
    {"tensorrt-llm", "a100-sxm-80gb", ampere, dense, {2, 4, 1.7, -0.174, -0.160, -0.008}, reach},
    {"tensorrt-llm", "h100-sxm", hopper, dense, {7, 40, 5.4, -0.414, -0.055, 0.010}, reach},
    {"tensorrt-llm", "l40s", ada, dense, {2, 3, 25.2, -0.005, 0.225, 0.472}, reach},
    {"vllm", "a100-sxm-40gb", ampere, dense, {2, 2, 0.1, 0.001, 0.001, 0.024}, reach},
    {"vllm", "a100-sxm-80gb", ampere, dense, {1, 7, 13.7, -0.300, -0.147, 0.069}, reach},
    {"vllm", "h100-sxm", hopper, dense, {4, 32, 9.0, -0.125, -0.001, 0.132}, reach},
    {"vllm", "h200-sxm", hopper, dense, {3, 3, 9.7, 0.081, 0.092, 0.119}, reach},
    {"vllm", "mi300x", cdna3, dense, {2, 16, 1.7, -0.088, -0.005, 0.027}, reach},
};
// clang-format on

// Measured again, or with the next version of a stack, a configuration differs by 9 % in a quarter of cases.
constexpr double least_spread = 0.09;

}  // namespace

std::span<const MeasuredClass> measured_serving_classes() {
  return serving_classes;
}

StepBand serving_band(const Job& job) {
  const int place = job.stack.recipe;
  const std::string_view recipe = place < 0 ? "" : all_recipes()[static_cast<std::size_t>(place)].id;
  const Reach at = {0, 0, 0, 0, 0, 0, static_cast<double>(job.layout.expert_parallel)};
  return nearest_band(serving_classes, {recipe, accelerator_of(job.machine), dense, at}, least_spread);
}

StepBand load_band(const Job& job) {
  StepBand band = serving_band(job);
  band.low = std::min(band.low, 0.8);
  band.high = std::max(band.high, 1.3);
  return band;
}

}  // namespace commcost
