#pragma once

#include <array>
#include <string_view>

#include "core/parallel/stack.h"

namespace commcost {

/// A constant of a stack that measured steps can move.
struct StackKnob {
  std::string_view name;  ///< of the input that sets it
  double Stack::*field;
  double doubt;     ///< standard deviation of ln(value / the recipe's) before any measurement
  double least;     ///< least value that a fit sets
  double greatest;  ///< greatest value that a fit sets
};

/// Those that a fit may move; the first scales all times alike.
inline constexpr std::size_t stack_knob_count = 9;
extern const std::array<StackKnob, stack_knob_count> stack_knobs;

/// A factor on each of them, in their order.
using StackFactors = std::array<double, stack_knob_count>;

/// All of them 1.
StackFactors unmoved();

/// A stack with its constants times the factors, each within what a fit sets.
Stack moved(Stack stack, const StackFactors& factors);

}  // namespace commcost
