#pragma once

#include "core/step/serving_time.h"
#include "core/step/step_band.h"

namespace commcost {

/// The band of a serving step: as measured steps of its stack on its generation of accelerators lay from
/// predictions by constants that had not seen them; wider where a stack was measured elsewhere, or not at
/// all.
StepBand serving_band(const PlacedServing& placed);

}  // namespace commcost
