#pragma once

#include <array>
#include <string_view>

namespace commcost {

/// Where the time of a serving step goes, us. The parts add up to the step.
struct ServingParts {
  double weights_us = 0;
  double cache_us = 0;
  double compute_us = 0;
  double kernels_us = 0;
  double tensor_us = 0;
  double expert_us = 0;
  double pipeline_us = 0;
  double launch_us = 0;

  double total_us() const;
};

/// A part of a serving step: the one list that results and sums read.
struct ServingPart {
  double ServingParts::*us;
  std::string_view name;  ///< of the result, in ms
  std::string_view help;
};

inline constexpr auto all_serving_parts = std::to_array<ServingPart>({
    {&ServingParts::weights_us, "weights_ms",
     "Reading the weights, each once; only the experts that tokens visit"},
    {&ServingParts::cache_us, "cache_ms", "Reading keys and values of earlier tokens"},
    {&ServingParts::compute_us, "compute_ms",
     "Multiplying beyond what reading hides, and the kernels in between"},
    {&ServingParts::kernels_us, "kernels_ms", "Start-up of kernels that wait for the one before"},
    {&ServingParts::tensor_us, "exposed_tensor_ms", "All-reduces of TP and the gather of logits"},
    {&ServingParts::expert_us, "exposed_expert_ms", "Tokens on their way to experts and back"},
    {&ServingParts::pipeline_us, "exposed_pipeline_ms", "PP send/recv"},
    {&ServingParts::launch_us, "launch_ms", "Waiting for the host: scheduling, sampling, launches"},
});

inline double ServingParts::total_us() const {
  double sum = 0;
  for (const ServingPart& part : all_serving_parts) sum += this->*part.us;
  return sum;
}

/// The time that a step which decodes and reads prompts pays once, and two steps would pay twice.
inline double shared_us(const ServingParts& parts) {
  return parts.weights_us + parts.kernels_us;
}

}  // namespace commcost
