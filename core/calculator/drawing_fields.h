#pragma once

#include "core/base/units.h"
#include "core/calculator/common_fields.h"
#include "core/exercise/drawing.h"
#include "core/exercise/misconceptions.h"

namespace commcost::calculations {

/// Which exercise is meant.
struct DrawInputs {
  double seed = 0;
  int level = 1;
  int edition = 1;
};

inline constexpr InputField drawing_fields[] = {
    whole<&DrawInputs::seed>(0, greatest_exact_whole,
                             "Seed of the exercise: the same seed gives the same exercise"),
    whole<&DrawInputs::level>(1, hardest_level, "1: round numbers; 2: real models and links; 3: with a catch")
        .or_default(1),
    whole<&DrawInputs::edition>(1, newest_edition,
                                "Edition of the exercises; links without one use the first")
        .or_default(1),
};

}  // namespace commcost::calculations
