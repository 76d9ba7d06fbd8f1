#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace commcost {

/// Where the time of a step goes on the stage that decides it, us. The parts add up to the step.
struct StepParts {
  double compute_us = 0;
  double recompute_us = 0;
  double tensor_us = 0;
  double context_us = 0;
  double expert_us = 0;
  double pipeline_us = 0;
  double data_us = 0;
  double bubble_us = 0;
  double offload_us = 0;
  double optimizer_us = 0;
  double launch_us = 0;
  double straggler_us = 0;

  double total_us() const;
  /// Of those, what waits for messages.
  double communication_us() const;
};

/// A part of a step: the one list that results, alternatives and sums read.
struct StepPart {
  double StepParts::*us;
  std::string_view name;    ///< of the result, in ms
  std::string_view reason;  ///< the part as a reason why a layout loses
  bool communication;       ///< whether it is time spent waiting for messages
  std::string_view help;
};

inline constexpr auto all_step_parts = std::to_array<StepPart>({
    {&StepParts::compute_us, "compute_ms", "compute", false, "Forward and backward pass, logits and loss"},
    {&StepParts::recompute_us, "recompute_ms", "recompute", false, "Recomputation in the backward pass"},
    {&StepParts::tensor_us, "exposed_tensor_ms", "tensor_communication", true,
     "Exposed TP communication, sequence parallelism's included"},
    {&StepParts::context_us, "exposed_context_ms", "context_communication", true, "Exposed CP communication"},
    {&StepParts::expert_us, "exposed_expert_ms", "expert_communication", true, "Exposed EP communication"},
    {&StepParts::pipeline_us, "exposed_pipeline_ms", "pipeline_communication", true,
     "Exposed PP send/recv, waits for neighbouring stages, gradients of a tied embedding"},
    {&StepParts::data_us, "exposed_data_ms", "data_communication", true, "Exposed DP communication"},
    {&StepParts::bubble_us, "bubble_ms", "bubble", false, "The pipeline fills and drains"},
    {&StepParts::offload_us, "exposed_offload_ms", "offload", false,
     "Exposed copies of activations to host memory and back"},
    {&StepParts::optimizer_us, "optimizer_ms", "optimizer", false,
     "Weight update, by the host too where it keeps optimizer state"},
    {&StepParts::launch_us, "launch_ms", "launch", false, "Waiting for the host to launch kernels"},
    {&StepParts::straggler_us, "straggler_ms", "straggler", false, "Waiting for stragglers"},
});

namespace detail {

// A search adds up the parts of millions of steps: without a loop.
template <std::size_t... At>
inline double sum_of(const StepParts& parts, bool communication_alone, std::index_sequence<At...>) {
  return ((communication_alone && !all_step_parts[At].communication ? 0.0 : parts.*all_step_parts[At].us) +
          ...);
}

}  // namespace detail

inline double StepParts::total_us() const {
  return detail::sum_of(*this, false, std::make_index_sequence<all_step_parts.size()>());
}

inline double StepParts::communication_us() const {
  return detail::sum_of(*this, true, std::make_index_sequence<all_step_parts.size()>());
}

}  // namespace commcost
