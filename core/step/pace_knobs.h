#pragma once

#include <array>
#include <string_view>

#include "core/parallel/pace.h"

namespace commcost {

/// A constant of a stack that measured steps can move.
struct PaceKnob {
  std::string_view name;  ///< of the input that sets it
  double Pace::*field;
  double doubt;     ///< standard deviation of ln(value / the recipe's) before anything is measured
  double least;     ///< that a fit sets
  double greatest;  ///< that a fit sets
};

/// Those that a fit may move; the first scales every time alike.
inline constexpr std::size_t pace_knob_count = 8;
extern const std::array<PaceKnob, pace_knob_count> pace_knobs;

/// A factor on each of them, in their order.
using PaceFactors = std::array<double, pace_knob_count>;

/// All of them 1.
PaceFactors unmoved();

/// A pace with its constants times the factors, each within what a fit sets.
Pace moved(Pace pace, const PaceFactors& factors);

}  // namespace commcost
