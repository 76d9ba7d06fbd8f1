#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "core/hardware/accelerators.h"

namespace commcost {

/// What the band of a step rests on.
enum class StepBasis {
  measured,  ///< steps of this recipe on this accelerator and its generation, dense or with experts, on as
             ///< many of them
  similar,   ///< steps of this recipe on its generation alone, elsewhere, or on fewer: half as wide again
  not_measured,  ///< steps of all recipes, of that kind: twice as wide
};
inline constexpr std::string_view step_basis_names[] = {"measured", "similar", "not_measured"};

/// What kind of runs a step is judged among.
enum class RunKind {
  dense,
  experts,
  staged,  ///< dense on several stages, in a stack where a tenth and more of such runs stall, by a second and
           ///< more a micro-batch, and no input tells which: a class of its own, with a wide band
};
inline constexpr std::string_view run_kind_names[] = {"dense", "experts", "staged"};

/// Of one class of measured steps, ln(predicted / measured) on left-out sources or models.
struct ClassErrors {
  int runs;
  double median_percent;  ///< of the absolute errors
  double tenth;
  double nine_tenths;
};

/// Measured steps that are judged together: of one stack on one generation, of one kind.
struct MeasuredClass {
  std::string_view recipe;
  Generation generation;
  RunKind kind;
  double most_gpus;  ///< among its runs
  ClassErrors errors;
  std::array<std::string_view, 5> accelerators;  ///< ids of those that ran, in the catalog's order
};

/// Of a table of at most 32 classes, one bit each.
using ClassSet = std::uint32_t;

/// How far measured steps of a class lay from predictions by constants that had not seen them.
struct StepBand {
  StepBasis basis = StepBasis::not_measured;
  double measured_runs = 0;           ///< of its classes
  double measured_error_percent = 0;  ///< median of the absolute errors
  double low = 1;                     ///< factor on a prediction: a tenth of the runs was quicker
  double high = 1;                    ///< a tenth was slower
  ClassSet classes = 0;               ///< that it is made of, by place in their table
};

/// A step that a band is asked for.
struct JudgedStep {
  std::string_view recipe;         ///< id; empty: none
  const Accelerator& accelerator;  ///< on which it runs
  RunKind kind = RunKind::dense;
  double gpus = 1;  ///< of the whole layout; infinity: unlike whatever ran
};

/// The band by the nearest classes that have runs enough: of the same recipe, generation and kind, and at
/// least `least_spread` to either side, in ln. Measured only where the accelerator itself is among them.
StepBand nearest_band(std::span<const MeasuredClass> table, const JudgedStep& step, double least_spread = 0);

}  // namespace commcost
