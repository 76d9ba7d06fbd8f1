#pragma once

#include "core/collective/counts.h"
#include "core/collective/phase.h"

namespace commcost::binomial_tree {

/// From the root down, all chunks at a time, to ranks p/2, p/4, ..., 1 away.
extern const Phase broadcast;
/// Up to the root, all chunks at a time, added on the way.
extern const Phase reduce;
/// From the root down, each child getting the chunks of its subtree.
extern const Phase scatter;
/// Up to the root, each child giving the chunks of its subtree.
extern const Phase gather;

/// ⌈lg p⌉(α + nβ) (Thakur et al., IJHPCA 19(1), 2005).
Counts broadcast_counts(const Group& group);
/// ⌈lg p⌉(α + nβ + nγ) (same source).
Counts reduce_counts(const Group& group);
/// A reduce, then a broadcast: 2⌈lg p⌉(α + nβ) + ⌈lg p⌉nγ.
Counts all_reduce_counts(const Group& group);
/// ⌈lg p⌉α + (p-1)/p·nβ (same source).
Counts scatter_counts(const Group& group);
/// ⌈lg p⌉α + (p-1)/p·nβ (same source).
Counts gather_counts(const Group& group);
/// A scatter, then a ring all-gather: (⌈lg p⌉+p-1)α + 2(p-1)/p·nβ (same source, there van de Geijn's).
Counts scatter_all_gather_counts(const Group& group);
/// Up and down: 2⌈lg p⌉α.
Counts barrier_counts(const Group& group);

}  // namespace commcost::binomial_tree
