#include "core/training/stack_knobs.h"

#include <algorithm>

namespace commcost {

// Prior widths: roughly the spread among published stacks (core/parallel/recipes.cpp).
constinit const std::array<StackKnob, stack_knob_count> stack_knobs = {{
    {"time_scale", &Stack::time_scale, 0.5, 0.1, 10},
    {"gemm_time_scale", &Stack::gemm_time_scale, 0.2, 0.3, 10},
    {"attention_time_scale", &Stack::attention_time_scale, 0.3, 0.3, 10},
    {"grouped_gemm_time_scale", &Stack::grouped_gemm_time_scale, 0.3, 0.3, 10},
    {"elementwise_time_scale", &Stack::elementwise_time_scale, 0.3, 0.3, 10},
    {"host_us_per_kernel", &Stack::host_us_per_kernel, 0.5, 0, 1e4},
    {"staged_layer_host_us", &Stack::staged_layer_host_us, 0.5, 0, 1e5},
    {"overlap_percent", &Stack::overlap_percent, 0.3, 0, 150},
    {"straggler_percent", &Stack::straggler_percent, 0.5, 0, 50},
}};

StackFactors unmoved() {
  StackFactors factors;
  factors.fill(1);
  return factors;
}

Stack moved(Stack stack, const StackFactors& factors) {
  for (std::size_t at = 0; at < stack_knob_count; ++at) {
    if (factors[at] == 1) continue;
    const StackKnob& knob = stack_knobs[at];
    double& value = stack.*knob.field;
    value = std::clamp(value * factors[at], knob.least, knob.greatest);
  }
  return stack;
}

}  // namespace commcost
