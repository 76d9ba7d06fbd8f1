#pragma once

#include "core/collective/counts.h"
#include "core/collective/phase.h"

namespace commcost::pairwise {

/// In round s, rank r gives rank r + s + 1 the block that it is to have.
extern const Phase all_to_all;
/// In round s, rank r gives rank r + s + 1 the block that it is to add up.
extern const Phase reduce_scatter;

/// (p-1)α + (p-1)/p·nβ (Thakur et al., IJHPCA 19(1), 2005; MPICH's comment counts a rank's own block too).
Counts all_to_all_counts(const Group& group);
/// (p-1)α + (p-1)/p·n(β+γ) (same source).
Counts reduce_scatter_counts(const Group& group);

}  // namespace commcost::pairwise
