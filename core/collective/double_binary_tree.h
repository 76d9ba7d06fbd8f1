#pragma once

#include "core/collective/counts.h"
#include "core/collective/phase.h"

namespace commcost::double_binary_tree {

/// Up both trees, each with its half of the message in pieces, added on the way.
extern const Phase reduce_up;
/// Down both trees.
extern const Phase broadcast_down;
/// From the root into two trees of the other ranks, and down these.
extern const Phase broadcast;
/// Up two trees of the other ranks, and from these to the root.
extern const Phase reduce;

/// With h = ⌊lg p⌋ and k pieces of each half: 2(h+k-1) rounds of α + n/k·β, one child's message less in each
/// half where p is a power of two; γ for the way up. Idea: Sanders, Speck & Träff, Parallel Computing 35,
/// 2009, and NCCL 2.4; a rank serves both children of a tree in one round.
Counts all_reduce_counts(const Group& group);
/// With h = ⌊lg (p-1)⌋ and k pieces of each half: h+k rounds of α + n/k·β, likewise.
Counts broadcast_counts(const Group& group);
/// The same, with γ.
Counts reduce_counts(const Group& group);

}  // namespace commcost::double_binary_tree
