#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "core/serving/serving_load.h"

namespace commcost {

/// A constant of a stack that serves, and how far it may move.
struct ServingKnob {
  std::string_view name;        ///< of the input that sets it
  double& (*of)(Stack& stack);  ///< where it is
  bool scales;                  ///< whether it is a factor, that moves by ratios; else a time, by differences
  double doubt;                 ///< how far stacks lie from each other in it: of its logarithm, or us
  double least;
  double greatest;
};

inline constexpr std::size_t serving_knob_count = 7;
extern const std::array<ServingKnob, serving_knob_count> serving_knobs;

/// How far each is moved, in doubts.
using ServingMoves = std::array<double, serving_knob_count>;

Stack moved(Stack stack, const ServingMoves& moves);

/// What users of a server saw at one load, medians; 0: not measured.
struct MeasuredLoad {
  ServingLoadInputs inputs;
  double token_ms = 0;
  double first_token_ms = 0;
};

/// The same as predicted.
struct PredictedLoad {
  double token_ms = 0;
  double first_token_ms = 0;
};

/// Constants moved to loads that were measured. Errors are medians over TPOT of the loads, in percent.
struct ServingFit {
  bool moves_help = false;  ///< else nothing is moved: loads left out say that it would not help
  ServingMoves moves{};
  std::vector<PredictedLoad> before;
  std::vector<PredictedLoad> after;
  std::vector<PredictedLoad>
      left_out;  ///< each load by a fit to the others; as after where there is one alone
  double error_before_percent = 0;
  double error_after_percent = 0;
  double error_left_out_percent = 0;  ///< with one load alone that of the fit to itself
};

/// Moves the constants to what was measured, as little as that allows; every load has no problems.
ServingFit fit_serving(std::span<const MeasuredLoad> loads);

}  // namespace commcost
