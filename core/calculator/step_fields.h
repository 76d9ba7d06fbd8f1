#pragma once

#include <utility>

#include "core/base/result.h"
#include "core/step/step_parts.h"

namespace commcost {
namespace detail {

/// A part of a step in milliseconds, as every result of a step is.
template <std::size_t At>
constexpr ResultField part_result() {
  return {all_step_parts[At].name, FieldKind::real, "ms", all_step_parts[At].help,
          [](const ResultField&, const void* results, WireWriter& to) {
            to.number(static_cast<const StepParts*>(results)->*all_step_parts[At].us * 1e-3);
          }};
}

template <std::size_t... At>
constexpr auto part_results(std::index_sequence<At...>) {
  return std::array{part_result<At>()...};
}

}  // namespace detail

/// Where a step's time goes: the columns add up to the step.
inline constexpr auto step_part_columns =
    detail::part_results(std::make_index_sequence<all_step_parts.size()>());

}  // namespace commcost
