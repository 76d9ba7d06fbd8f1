#pragma once

#include "core/collective/counts.h"
#include "core/collective/phase.h"

namespace commcost::dissemination {

/// In round s, rank r tells rank r + 2^s whom it knows to have arrived; chunk r is the news that rank r has.
extern const Phase barrier;

/// ⌈lg p⌉α (Hensgen, Finkel & Manber, Int. J. Parallel Programming 17(1), 1988).
Counts barrier_counts(const Group& group);

}  // namespace commcost::dissemination
