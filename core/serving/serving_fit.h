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
  bool scales;   ///< whether it is a factor, moved by ratios; otherwise a time, moved by differences
  double doubt;  ///< prior width: of its logarithm, or in us
  double least;
  double greatest;
};

inline constexpr std::size_t serving_knob_count = 7;
extern const std::array<ServingKnob, serving_knob_count> serving_knobs;

/// How far each constant is moved, in prior widths.
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

/// Constants fitted to measured loads. Errors are medians over the loads' TPOT, in percent.
struct ServingFit {
  bool moves_help = false;  ///< if not, nothing is moved: held-out loads show that it would not help
  ServingMoves moves{};
  std::vector<PredictedLoad> before;
  std::vector<PredictedLoad> after;
  std::vector<PredictedLoad>
      left_out;  ///< each load by a fit to the others; the same as after if there is one alone
  double error_before_percent = 0;
  double error_after_percent = 0;
  double error_left_out_percent = 0;  ///< with one load alone, the fit's own error
};

/// Fits the constants to the measurements, moving them as little as that allows; no load may have problems.
ServingFit fit_serving(std::span<const MeasuredLoad> loads);

}  // namespace commcost
