#pragma once

#include <string_view>
#include <vector>

#include "core/plan/search.h"

namespace commcost {

/// A decision of a layout.
enum class Decision {
  tensor_parallel,
  sequence_parallel,
  pipeline_parallel,
  pipeline_schedule,
  virtual_stages,
  context_parallel,
  expert_parallel,
  zero_stage,
  batch_size,
  recompute,
};
inline constexpr std::string_view decision_names[] = {
    "tensor_parallel",  "sequence_parallel", "pipeline_parallel", "pipeline_schedule", "virtual_stages",
    "context_parallel", "expert_parallel",   "zero_stage",        "batch_size",        "recompute"};

/// Why a layout lost.
enum class LossReason {
  does_not_fit,
  compute,
  recompute,
  tensor_communication,
  context_communication,
  expert_communication,
  pipeline_communication,
  data_communication,
  bubble,
  optimizer,
  launch,
  straggler,
  none,  ///< it is as quick
};
inline constexpr std::string_view loss_reason_names[] = {"does_not_fit",
                                                         "compute",
                                                         "recompute",
                                                         "tensor_communication",
                                                         "context_communication",
                                                         "expert_communication",
                                                         "pipeline_communication",
                                                         "data_communication",
                                                         "bubble",
                                                         "optimizer",
                                                         "launch",
                                                         "straggler",
                                                         "none"};

/// The winner with one decision taken otherwise; replicas make up for another number of GPUs.
struct Alternative {
  Decision decision = Decision::tensor_parallel;
  double value = 0;  ///< what was decided instead: a degree, a stage, a position among the choices
  double step_time_ms = 0;
  double memory_gib = 0;
  bool fits = false;
  LossReason reason = LossReason::none;
  double lost_ms = 0;    ///< step time above the winner's; below 0 where only memory forbids it
  double reason_ms = 0;  ///< how much more of that part there is
  double short_gib = 0;  ///< memory that it lacks
};

/// Every other value of every decision that can exist with the rest of `winner` as it is.
std::vector<Alternative> alternatives(const PlanInputs& inputs, const PlannedLayout& winner,
                                      double limit_gib);

}  // namespace commcost
