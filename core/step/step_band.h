#pragma once

#include "core/parallel/setting.h"
#include "core/step/machine.h"
#include "core/step/measured_band.h"

namespace commcost {

/// The measured training steps, by class.
std::span<const MeasuredClass> measured_step_classes();

/// The kind of a setting on a machine.
RunKind run_kind(const Setting& setting, const Machine& machine);

/// The band of a setting on a machine; its classes are places in measured_step_classes().
StepBand step_band(const Setting& setting, const Machine& machine);

}  // namespace commcost
