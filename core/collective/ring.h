#pragma once

#include <span>

#include "core/collective/counts.h"
#include "core/collective/phase.h"

namespace commcost::ring {

/// Round the ring: what arrives is added to a rank's own and sent on; rank r ends with the sum of chunk r.
extern const Phase reduce_scatter;
/// Round the ring: each rank begins with chunk r and passes on what arrived last.
extern const Phase all_gather;
/// Along the chain 0, 1, 2, ... in pieces.
extern const Phase broadcast;
/// Along the chain ..., 2, 1, 0 in pieces, added up on the way.
extern const Phase reduce;

/// (p-1)α + (p-1)/p·nβ + (p-1)/p·nγ (Thakur et al., IJHPCA 19(1), 2005).
Counts reduce_scatter_counts(const Group& group);
/// (p-1)α + (p-1)/p·nβ (same source).
Counts all_gather_counts(const Group& group);
/// Both: 2(p-1)α + 2(p-1)/p·nβ + (p-1)/p·nγ, optimal in bytes (Patarasuk & Yuan, JPDC 69(2), 2009).
Counts all_reduce_counts(const Group& group);
/// (p-2+k)(α + n/k·β) in k pieces.
Counts broadcast_counts(const Group& group);
/// (p-2+k)(α + n/k·(β+γ)) in k pieces.
Counts reduce_counts(const Group& group);

}  // namespace commcost::ring
