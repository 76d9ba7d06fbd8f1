#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "core/plan/search.h"
#include "core/plan/settings.h"

namespace commcost {

/// A decision of a layout; after these, in order, come the settings that a search may decide.
enum class Decision {
  tensor_parallel,
  sequence_parallel,
  pipeline_parallel,
  pipeline_schedule,
  virtual_stages,
  context_parallel,
  expert_parallel,
  expert_tensor_parallel,
  zero_stage,
  batch_size,
  recompute,
  first_setting,
};
inline constexpr auto decision_names = [] {
  constexpr std::string_view of_layouts[] = {
      "tensor_parallel", "sequence_parallel", "pipeline_parallel", "pipeline_schedule",
      "virtual_stages",  "context_parallel",  "expert_parallel",   "expert_tensor_parallel",
      "zero_stage",      "batch_size",        "recompute"};
  static_assert(std::size(of_layouts) == static_cast<std::size_t>(Decision::first_setting));
  std::array<std::string_view, std::size(of_layouts) + std::size(setting_names)> names;
  std::copy(std::begin(setting_names), std::end(setting_names),
            std::copy(std::begin(of_layouts), std::end(of_layouts), names.begin()));
  return names;
}();

/// Why a layout lost: it does not fit, leaves too little memory, or the part of a step that grows most, or no
/// reason.
inline constexpr auto loss_reason_names = [] {
  std::array<std::string_view, all_step_parts.size() + 3> names{"does_not_fit", "too_tight"};
  for (std::size_t at = 0; at < all_step_parts.size(); ++at) names[at + 2] = all_step_parts[at].reason;
  names.back() = "none";
  return names;
}();
inline constexpr int does_not_fit = 0;
inline constexpr int too_tight = 1;  ///< it leaves less memory than the headroom, unlike the winner
inline constexpr int no_loss = static_cast<int>(loss_reason_names.size()) - 1;  ///< it is as fast
/// The reason for a part of all_step_parts.
constexpr int loss_of_part(std::size_t part) {
  return static_cast<int>(part) + 2;
}

/// The winner with one decision changed; replicas make up for the number of GPUs.
struct Alternative {
  Decision decision = Decision::tensor_parallel;
  double value = 0;  ///< the other decision: a number, 1 for on, a position among the choices
  double step_time_ms = 0;
  double memory_gib = 0;
  bool fits = false;
  int reason = no_loss;    ///< among loss_reason_names; a tie has none
  double lost_ms = 0;      ///< step time above the winner's; below 0 if it loses by memory alone
  StepParts more;          ///< the increase in every part; adds up to lost_ms
  double deficit_gib = 0;  ///< memory that it lacks
  bool is_tie = false;     ///< whether it fits and is within error of the winner
  std::string_view stack_rule =
      {};  ///< the stack's rule that it breaks, to follow the stack's name; empty: it can run
};

/// Every other value of every decision that can exist with the rest of `winner` as it is, and that a search
/// over `inputs` tries, or would if the stack could run it.
std::vector<Alternative> alternatives(const PlanInputs& inputs, const PlannedLayout& winner,
                                      double limit_gib);

}  // namespace commcost
