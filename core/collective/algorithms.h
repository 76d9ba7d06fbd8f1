#pragma once

#include "core/collective/counts.h"
#include "core/collective/phase.h"

// What each algorithm is made of: its phases, and its counts for each collective that it serves. The table of
// methods puts them together, and has every closed form in words with its source.

namespace commcost::ring {
/// Round the ring: what arrives is added to a rank's own and sent on; rank r ends with the sum of chunk r.
extern const Phase reduce_scatter;
/// Round the ring: each rank begins with chunk r and passes on what arrived last.
extern const Phase all_gather;
/// Along the chain 0, 1, 2, ... in pieces.
extern const Phase broadcast;
/// Along the chain ..., 2, 1, 0 in pieces, added up on the way.
extern const Phase reduce;
ClosedForm reduce_scatter_counts, all_gather_counts, all_reduce_counts, broadcast_counts, reduce_counts;
}  // namespace commcost::ring

namespace commcost::recursive_doubling {
/// Partners at distance 1, 2, 4, ... add up each other's whole vectors.
extern const Phase exchange;
/// Partners at distance 1, 2, 4, ... give each other all blocks that they have.
extern const Phase all_gather;
/// Ranks that a fold leaves out give away their vector, or their block, and get the result, or the other
/// blocks.
extern const Phase fold, fold_block, unfold, unfold_rest;
ClosedForm all_reduce_counts, all_gather_counts;
}  // namespace commcost::recursive_doubling

namespace commcost::recursive_halving {
/// Partners at distance p/2, p/4, ..., 1 add up the half that they keep; rank r ends with the sum of chunk r.
extern const Phase reduce_scatter;
/// Ranks that a fold leaves out get their block.
extern const Phase unfold_block;
ClosedForm reduce_scatter_counts;
}  // namespace commcost::recursive_halving

namespace commcost::rabenseifner {
/// Recursive halving: a chunk of the sum for each rank that takes part.
extern const Phase reduce_scatter;
/// Recursive doubling: the halving above, backwards.
extern const Phase all_gather;
/// Up a binomial tree to the root.
extern const Phase gather;
ClosedForm all_reduce_counts, reduce_counts;
}  // namespace commcost::rabenseifner

namespace commcost::binomial_tree {
/// From the root down, all chunks at a time, to ranks p/2, p/4, ..., 1 away.
extern const Phase broadcast;
/// Up to the root, all chunks at a time, added on the way.
extern const Phase reduce;
/// From the root down, each child getting the chunks of its subtree.
extern const Phase scatter;
/// Up to the root, each child giving the chunks of its subtree.
extern const Phase gather;
ClosedForm broadcast_counts, reduce_counts, all_reduce_counts, scatter_counts, gather_counts,
    scatter_all_gather_counts, barrier_counts;
}  // namespace commcost::binomial_tree

namespace commcost::double_binary_tree {
/// Up both trees, each with its half of the message in pieces, added on the way.
extern const Phase reduce_up;
/// Down both trees.
extern const Phase broadcast_down;
/// From the root into two trees of the other ranks, and down these.
extern const Phase broadcast;
/// Up two trees of the other ranks, and from these to the root.
extern const Phase reduce;
ClosedForm all_reduce_counts, broadcast_counts, reduce_counts;
}  // namespace commcost::double_binary_tree

namespace commcost::bruck {
/// In round s, all blocks that a rank has go to the one 2^s before it, at the end only those it lacks.
extern const Phase all_gather;
/// In round s, all blocks whose distance to their destination has bit s go on by 2^s.
extern const Phase all_to_all;
ClosedForm all_gather_counts, all_to_all_counts;
}  // namespace commcost::bruck

namespace commcost::pairwise {
/// In round s, rank r gives rank r + s + 1 the block that rank needs.
extern const Phase all_to_all;
/// In round s, rank r gives rank r + s + 1 the block that rank adds up.
extern const Phase reduce_scatter;
ClosedForm all_to_all_counts, reduce_scatter_counts;
}  // namespace commcost::pairwise

/// One shot: everything a rank has for the others leaves in one round. Its messages share one latency and
/// queue for its port, as stores over a switch do; pairwise is the same with a latency for each.
namespace commcost::direct {
extern const Phase all_reduce, all_gather, reduce_scatter, broadcast, reduce, gather, scatter, all_to_all,
    send_receive;
ClosedForm all_reduce_counts, two_shot_counts, all_gather_counts, reduce_scatter_counts, broadcast_counts,
    reduce_counts, gather_counts, scatter_counts, send_receive_counts;
}  // namespace commcost::direct

namespace commcost::dissemination {
/// In round s, rank r tells rank r + 2^s which ranks it knows to have arrived; chunk r is the news of rank r.
extern const Phase barrier;
ClosedForm barrier_counts;
}  // namespace commcost::dissemination

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
ClosedForm all_reduce_counts, reduce_scatter_counts, all_gather_counts;
}  // namespace commcost::two_level

/// A switch (SHARP, NVLS) that adds what the ranks send and multicasts the result; in the messages it is the
/// node after the last rank. In k pieces, one going down while the next goes up: n in, n out.
namespace commcost::in_network {
extern const Phase all_reduce, all_gather, reduce_scatter, broadcast, reduce, barrier;
ClosedForm all_reduce_counts, broadcast_counts, reduce_counts, reduce_scatter_counts, all_gather_counts,
    barrier_counts;
}  // namespace commcost::in_network
