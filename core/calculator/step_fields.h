#pragma once

#include "core/base/result.h"
#include "core/step/step_time.h"

namespace commcost {

/// A member of StepParts in milliseconds, as every result of a step is.
template <auto Member>
constexpr ResultField part_result(std::string_view name, std::string_view help) {
  return {name, FieldKind::real, "ms", help, [](const ResultField&, const void* results, WireWriter& to) {
            to.number(detail::read<Member>(results) * 1e-3);
          }};
}

/// Where a step's time goes: the columns add up to the step.
inline constexpr ResultField step_part_columns[] = {
    part_result<&StepParts::compute_us>("compute_ms", "Forward and backward pass, logits and loss"),
    part_result<&StepParts::recompute_us>("recompute_ms", "Forward pass once more"),
    part_result<&StepParts::tensor_us>("exposed_tensor_ms", "Exposed traffic of tensor and sequence ranks"),
    part_result<&StepParts::context_us>("exposed_context_ms", "Exposed traffic of context ranks"),
    part_result<&StepParts::expert_us>("exposed_expert_ms", "Exposed traffic of expert ranks"),
    part_result<&StepParts::pipeline_us>("exposed_pipeline_ms", "Transfers between stages"),
    part_result<&StepParts::data_us>("exposed_data_ms", "Exposed traffic of replicas"),
    part_result<&StepParts::bubble_us>("bubble_ms", "The pipeline fills and drains"),
    part_result<&StepParts::optimizer_us>("optimizer_ms", "Weight update"),
    part_result<&StepParts::launch_us>("launch_ms", "Waiting for the host to launch kernels"),
    part_result<&StepParts::straggler_us>("straggler_ms", "Waiting for the slowest replica"),
};

}  // namespace commcost
