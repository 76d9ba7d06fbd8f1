#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/training/stack_knobs.h"
#include "core/training/training_step.h"

namespace commcost {

/// A step that somebody measured.
struct TimedStep {
  Job job;  ///< what ran; without problems
  double measured_ms = 0;
  MachineScales scales = {};  ///< as a log of the machine's own has it
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
  double difference_percent = 0;  ///< of the longer to the shorter, less one
};

/// Constants moved to measured steps. Errors are medians, in percent, over steps that the fit had not seen;
/// 0 where there is one step alone.
struct StepFit {
  FitChoice choice = FitChoice::recipe;
  StackFactors factors = unmoved();
  double recipe_error_percent = 0;     ///< with nothing moved
  double one_scale_error_percent = 0;  ///< with one scale
  double constants_error_percent = 0;  ///< with constants
  std::vector<double> left_out_ms;     ///< each step as the fit to the others has it, as chosen
  std::vector<bool> far_off;           ///< whether that is far further off than the others are
  std::vector<Contradiction> contradictions;

  double error_percent() const {
    return choice == FitChoice::recipe      ? recipe_error_percent
           : choice == FitChoice::one_scale ? one_scale_error_percent
                                            : constants_error_percent;
  }
};

/// Moves the constants to what was measured, as little as that allows: one scale, the middle one of what the
/// steps ask for, unless constants or the recipe as it is say clearly better what a step of a job takes
/// that they have not seen. One step alone moves the scale.
StepFit fit_steps(std::span<const TimedStep> steps);

/// What a step takes with the constants of its stack moved, ms.
double moved_step_ms(const Job& job, const StackFactors& factors, const MachineScales& scales = {});

}  // namespace commcost
