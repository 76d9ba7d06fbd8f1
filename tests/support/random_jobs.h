#pragma once

#include "core/base/value.h"
#include "core/hardware/machine.h"
#include "core/parallel/stage_share.h"
#include "support/random_inputs.h"

namespace commcost::test {

/// A completed job without problems, of any kind that the tables of inputs can say: dense, grouped-query
/// and latent attention, experts with and without shared ones and dense first layers; every schedule, ZeRO
/// stage, scheme of a context, recomputation and mode; degrees that divide nothing evenly but what must be.
Job random_job(Random& random);

/// One whose mode is training.
Job random_training(Random& random);

/// The job on a machine, in its own precision, or as stored where the hardware lacks that.
Job runnable(Job job, const Machine& machine);

/// The job as inputs of any calculation that takes a model, its work and its layout.
Value::Object inputs_of(const Job& job);

}  // namespace commcost::test
