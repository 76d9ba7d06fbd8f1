#pragma once

#include "core/collective/counts.h"
#include "core/collective/phase.h"

namespace commcost::recursive_doubling {

/// Partners at distance 1, 2, 4, ... add up each other's whole vectors.
extern const Phase exchange;
/// Partners at distance 1, 2, 4, ... give each other all blocks that they have.
extern const Phase all_gather;
/// Those that a fold leaves out give their vector, or their block, and get the result, or the other blocks.
extern const Phase fold, fold_block, unfold, unfold_rest;

/// lg p·(α + nβ + nγ); else (⌊lg p⌋+2)(α + nβ) + (⌊lg p⌋+1)nγ (the fold as in MPICH's allreduce).
Counts all_reduce_counts(const Group& group);
/// lg p·α + (p-1)/p·nβ (Thakur et al., IJHPCA 19(1), 2005); else ⌊lg p⌋+2 rounds, counted.
Counts all_gather_counts(const Group& group);

}  // namespace commcost::recursive_doubling
