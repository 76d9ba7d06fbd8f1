#pragma once

#include "core/collective/counts.h"
#include "core/collective/phase.h"

namespace commcost::bruck {

/// In round s, all blocks that a rank has go to the one 2^s before it, at the end only those it lacks.
extern const Phase all_gather;
/// In round s, all blocks whose distance to their destination has bit s go on by 2^s.
extern const Phase all_to_all;

/// ⌈lg p⌉α + (p-1)/p·nβ (Thakur et al., IJHPCA 19(1), 2005).
Counts all_gather_counts(const Group& group);
/// ⌈lg p⌉α + n/2·⌊lg p⌋β + n/p·(p - 2^⌊lg p⌋)β (same source), exact where p is a power of two, otherwise a
/// little more than the schedule sends.
Counts all_to_all_counts(const Group& group);

}  // namespace commcost::bruck
