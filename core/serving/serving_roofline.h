#pragma once

#include "core/base/outcome.h"
#include "core/compute/roofline.h"
#include "core/serving/serving_step.h"

namespace commcost {

/// A layer of a server's step under the roof of its machine: the layer with experts where the model has such.
Outcome<Roofline> serving_roofline(const ServingStepInputs& inputs);

}  // namespace commcost
