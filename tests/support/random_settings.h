#pragma once

#include "core/base/value.h"
#include "core/parallel/setting.h"
#include "core/step/machine.h"
#include "support/random_inputs.h"

namespace commcost::test {

/// A completed setting without problems, of any kind that the tables of inputs can say: dense, grouped-query
/// and latent attention, experts with and without shared ones and dense first layers; every schedule, ZeRO
/// stage, scheme of a context, recomputation and mode; degrees that divide nothing evenly but what must be.
Setting random_setting(Random& random);

/// One whose mode is training.
Setting random_training(Random& random);

/// The setting in its own precision, or as stored where the machine's hardware lacks that.
Setting runnable(Setting setting, const Machine& machine);

/// The setting as inputs of any calculation that takes a model, its work and its layout.
Value::Object inputs_of(const Setting& setting);

}  // namespace commcost::test
