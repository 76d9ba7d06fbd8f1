#pragma once

#include "core/hardware/machine.h"
#include "core/hardware/measured_band.h"
#include "core/parallel/stage_share.h"

namespace commcost {

/// The measured training steps, by class.
std::span<const MeasuredClass> measured_step_classes();

/// The kind of a job.
RunKind run_kind(const Job& job);

/// The values of a job in the fields of Reach.
Reach reach_of(const Job& job);

/// The band of a job; its classes are places in measured_step_classes().
StepBand step_band(const Job& job);

}  // namespace commcost
