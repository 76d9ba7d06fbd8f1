#pragma once

#include "core/collective/counts.h"
#include "core/collective/phase.h"

namespace commcost::recursive_halving {

/// Partners at distance p/2, p/4, ..., 1 add up the half that they keep; rank r ends with the sum of chunk r.
extern const Phase reduce_scatter;
/// Those that a fold leaves out get their block.
extern const Phase unfold_block;

/// lg p·α + (p-1)/p·n(β+γ); else (⌊lg p⌋+2)α + 2nβ + (1+(p-1)/p)nγ (MPICH, reduce_scatter).
Counts reduce_scatter_counts(const Group& group);

}  // namespace commcost::recursive_halving
