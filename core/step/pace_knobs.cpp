#include "core/step/pace_knobs.h"

#include <algorithm>

namespace commcost {

// Doubts: about how far the paces of published stacks lie from each other (core/parallel/recipes.cpp).
constinit const std::array<PaceKnob, pace_knob_count> pace_knobs = {{
    {"time_scale", &Pace::time_scale, 0.5, 0.1, 10},
    {"compute_efficiency_percent", &Pace::compute_efficiency_percent, 0.2, 5, 150},
    {"attention_efficiency_percent", &Pace::attention_efficiency_percent, 0.2, 5, 150},
    {"expert_efficiency_percent", &Pace::expert_efficiency_percent, 0.3, 5, 150},
    {"host_us_per_kernel", &Pace::host_us_per_kernel, 0.5, 0, 1e4},
    {"staged_layer_host_us", &Pace::staged_layer_host_us, 0.5, 0, 1e5},
    {"overlap_percent", &Pace::overlap_percent, 0.3, 0, 150},
    {"straggler_percent", &Pace::straggler_percent, 0.5, 0, 50},
}};

PaceFactors unmoved() {
  PaceFactors factors;
  factors.fill(1);
  return factors;
}

Pace moved(Pace pace, const PaceFactors& factors) {
  for (std::size_t at = 0; at < pace_knob_count; ++at) {
    if (factors[at] == 1) continue;
    const PaceKnob& knob = pace_knobs[at];
    double& value = pace.*knob.field;
    value = std::clamp(value * factors[at], knob.least, knob.greatest);
  }
  return pace;
}

}  // namespace commcost
