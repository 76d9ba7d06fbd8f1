#pragma once

#include "core/base/value.h"
#include "core/calculator/calculation.h"
#include "support/random_inputs.h"

namespace commcost::test {

/// Inputs as others may have them, as a recorded line gives them: of any model, work and layout, with
/// measured values and logs varied.
Value drawn_inputs(const Calculation& calculation, Random& random);

}  // namespace commcost::test
