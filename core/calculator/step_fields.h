#pragma once

#include <utility>

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/training/step_parts.h"

namespace commcost {
namespace detail {

template <class Parts>
Parts owner_of(double Parts::*);

/// A part of a step in milliseconds, as every result of a step is.
template <const auto& parts, std::size_t At>
constexpr ResultField part_result() {
  return {parts[At].name, FieldKind::real, "ms", parts[At].help,
          [](const ResultField&, const void* results, WireWriter& to) {
            using Parts = decltype(owner_of(parts[At].us));
            to.number(static_cast<const Parts*>(results)->*parts[At].us * 1e-3);
          }};
}

template <const auto& parts, std::size_t... At>
constexpr auto part_results(std::index_sequence<At...>) {
  return std::array{part_result<parts, At>()...};
}

struct StepHelp {
  std::string_view name;
  std::string_view help;
};

inline constexpr StepHelp step_helps[] = {
    {"step_time_ms", "Time of a training step"},
    {"step_time_low_ms", "Lower end of the prediction's band"},
    {"step_time_high_ms", "Upper end of the prediction's band"},
    {"measured_error_percent", "Median error on those runs, each held out from the fit"},
    {"memory_gib", "Memory of the fullest GPU"},
    {"memory_available_gib", "Memory available on a GPU"},
    {"fits", "Whether it fits: memory needed is at most memory available"},
    {"mfu_percent", "Model FLOPs utilization (MFU), of the peak"},
    {"model_tflops_per_gpu", "Model TFLOP/s of a GPU, as Megatron-LM's log prints them"},
    {"tokens_per_sec_per_gpu", "Tokens per second per GPU"},
    {"training_days", "Days for the whole run of token_budget tokens"},
    {"stack_checked",
     "Whether the stack's own rules are known and were checked; no for a fork, whose original's were"},
    {"stack_rule",
     "The first rule of the stack that the layout breaks, to follow the stack's name; empty: the stack can "
     "run it"},
};

}  // namespace detail

/// A result of a step, described once for every calculation that returns steps. Any other member fails to
/// compile.
template <auto Member>
consteval ResultField step_result() {
  const detail::StepHelp* said = nullptr;
  for (const detail::StepHelp& row : detail::step_helps) {
    if (row.name == detail::member_name<Member>) said = &row;
  }
  return result<Member>(said->help);
}

/// Where a step's time goes, by a list of its parts: the columns add up to the step.
template <const auto& parts>
inline constexpr auto part_columns = detail::part_results<parts>(std::make_index_sequence<parts.size()>());

/// A member of StepMemory in GiB.
template <auto Member>
constexpr ResultField memory_result(std::string_view name, std::string_view help) {
  return {name, FieldKind::real, "GiB", help, [](const ResultField&, const void* results, WireWriter& to) {
            to.number(detail::read<Member>(results) / gib);
          }};
}

}  // namespace commcost
