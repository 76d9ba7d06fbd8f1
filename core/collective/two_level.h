#pragma once

#include "core/collective/counts.h"
#include "core/collective/phase.h"

/// Ranks in m groups of g, or on a torus of m rows of g: rank r is member r mod g of group r / g, and chunk r
/// is its block. Rings within the groups, and a ring across them for each member.
namespace commcost::two_level {

/// In each group, member i adds up the m blocks of every group's member i.
extern const Phase reduce_scatter_inside;
/// Across the groups, rank r adds up its own of those.
extern const Phase reduce_scatter_across;
/// Across the groups, back.
extern const Phase all_gather_across;
/// In each group, back.
extern const Phase all_gather_inside;

/// 2(g-1)α + 2(g-1)/g·nβ inside, 2(m-1)α + 2(m-1)/m·n/g·β across (structure: stas00/ml-engineering,
/// network/README.md @744d01e); γ (p-1)/p·n. In all the flat ring's bytes, 1/g of them across.
Counts all_reduce_counts(const Group& group);
/// The first half of that.
Counts reduce_scatter_counts(const Group& group);
/// The second half of that.
Counts all_gather_counts(const Group& group);

}  // namespace commcost::two_level
