#pragma once

#include <string_view>

#include "core/parallel/setting.h"
#include "core/step/machine.h"

namespace commcost {

/// What the band of a step rests on.
enum class StepBasis {
  measured,      ///< steps of this recipe on this generation of accelerators, dense or with experts, on as
                 ///< many of them
  similar,       ///< steps of this recipe elsewhere, or on fewer: half as wide again
  not_measured,  ///< steps of all recipes: twice as wide
};
inline constexpr std::string_view step_basis_names[] = {"measured", "similar", "not_measured"};

/// How far measured steps of a class lay from predictions by constants that had not seen them.
struct StepBand {
  StepBasis basis = StepBasis::not_measured;
  double measured_runs = 0;           ///< of the class
  double measured_error_percent = 0;  ///< median of the absolute errors
  double low = 1;                     ///< factor on a prediction: a tenth of the class was quicker
  double high = 1;                    ///< a tenth was slower
};

/// The band of a setting on a machine.
StepBand step_band(const Setting& setting, const Machine& machine);

}  // namespace commcost
