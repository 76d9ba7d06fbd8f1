#pragma once

#include "core/collective/counts.h"
#include "core/collective/phase.h"

namespace commcost::rabenseifner {

/// Recursive halving: a chunk of the sum for each rank that takes part.
extern const Phase reduce_scatter;
/// Recursive doubling: that halving backwards.
extern const Phase all_gather;
/// Up a binomial tree to the root.
extern const Phase gather;

/// 2lg p·α + 2(p-1)/p·nβ + (p-1)/p·nγ; else MPICH's form, (2⌊lg p⌋+2)α + (2(p-1)/p+2)nβ + (1+(p-1)/p)nγ,
/// where the schedule moves and adds (p'-1)/p' instead of (p-1)/p, p' the power of two within p.
Counts all_reduce_counts(const Group& group);
/// 2lg p·α + 2(p-1)/p·nβ + (p-1)/p·nγ; else MPICH's form, (2⌊lg p⌋+1)α + (2(p-1)/p+1)nβ + (1+(p-1)/p)nγ.
Counts reduce_counts(const Group& group);

}  // namespace commcost::rabenseifner
