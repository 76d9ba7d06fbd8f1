#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/training/stack_knobs.h"
#include "core/training/training_step.h"

namespace commcost {

/// A measured step.
struct TimedStep {
  Job job;  ///< what ran; without problems
  double measured_ms = 0;
  MachineScales scales = {};  ///< from a log of the machine's own
};

/// How a fit explains what was measured.
enum class FitChoice {
  recipe,     ///< nothing is moved
  one_scale,  ///< every time is scaled alike
  constants,  ///< constants of the stack are moved, each drawn towards the recipe's value
};
inline constexpr std::string_view fit_choice_names[] = {"recipe", "one_scale", "constants"};

/// Two steps of one job that took different times.
struct Contradiction {
  std::size_t one = 0;
  std::size_t other = 0;
  double difference_percent = 0;  ///< how much longer the longer one took
};

/// Constants fitted to measured steps. Errors are medians, in percent, over steps that the fit had not seen;
/// 0 if there is only one step.
struct StepFit {
  FitChoice choice = FitChoice::recipe;
  StackFactors factors = unmoved();
  double recipe_error_percent = 0;     ///< with nothing moved
  double one_scale_error_percent = 0;  ///< with one scale
  double constants_error_percent = 0;  ///< with constants
  std::vector<double> left_out_ms;     ///< each step by the chosen fit to the others
  std::vector<bool> far_off;           ///< whether that error is far greater than the others'
  std::vector<Contradiction> contradictions;

  double error_percent() const {
    return choice == FitChoice::recipe      ? recipe_error_percent
           : choice == FitChoice::one_scale ? one_scale_error_percent
                                            : constants_error_percent;
  }
};

/// Fits the constants to what was measured, moving them as little as that allows: one scale, the median of
/// what the steps ask for, unless constants or the unchanged recipe predict steps of unseen jobs clearly
/// better. A single step moves the scale.
StepFit fit_steps(std::span<const TimedStep> steps);

/// The time of a step with its stack's constants moved, ms.
double moved_step_ms(const Job& job, const StackFactors& factors, const MachineScales& scales = {});

}  // namespace commcost
