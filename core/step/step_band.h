#pragma once

#include "core/parallel/setting.h"
#include "core/step/machine.h"
#include "core/step/measured_band.h"

namespace commcost {

/// What kind of runs a step is judged among.
enum class RunKind {
  dense,
  experts,
  staged,  ///< dense on several stages, in a stack where a tenth and more of such runs stall, by a second and
           ///< more a micro-batch, and no input tells which: a class of its own, with a wide band
};
inline constexpr std::string_view run_kind_names[] = {"dense", "experts", "staged"};

/// The kind of a setting on a machine.
RunKind run_kind(const Setting& setting, const Machine& machine);

/// The band of a setting on a machine.
StepBand step_band(const Setting& setting, const Machine& machine);

}  // namespace commcost
