#pragma once

#include "core/hardware/measured_band.h"
#include "core/parallel/job.h"

namespace commcost {

/// The measured serving steps, by class; all of them as dense ones, on any number of GPUs.
std::span<const MeasuredClass> measured_serving_classes();

/// The band of a serving step: as measured steps of its stack on its generation of accelerators lay from
/// predictions by constants that had not seen them; wider where a stack was measured elsewhere, or not at
/// all.
StepBand serving_band(const Job& job);

/// The band of what users wait under load: at least from 20 % less to 30 % more, since no published
/// percentiles judge it.
StepBand load_band(const Job& job);

}  // namespace commcost
