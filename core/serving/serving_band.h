#pragma once

#include "core/hardware/measured_band.h"
#include "core/parallel/job.h"

namespace commcost {

/// The measured serving steps, by class; all count as dense, on any number of GPUs.
std::span<const MeasuredClass> measured_serving_classes();

/// The band of a serving step, from the held-out errors of its stack's measured steps on its generation of
/// accelerators; wider if the stack was measured elsewhere, or not at all.
StepBand serving_band(const Job& job);

/// The band of users' waiting times under load: at least from 20 % less to 30 % more, since no published
/// percentiles test it.
StepBand load_band(const Job& job);

}  // namespace commcost
