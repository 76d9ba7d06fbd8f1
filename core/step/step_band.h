#pragma once

#include "core/parallel/setting.h"
#include "core/step/machine.h"
#include "core/step/measured_band.h"

namespace commcost {

/// The band of a setting on a machine.
StepBand step_band(const Setting& setting, const Machine& machine);

}  // namespace commcost
