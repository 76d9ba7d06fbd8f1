#pragma once

#include "core/collective/counts.h"
#include "core/collective/phase.h"

/// One shot: whatever a rank has for the others leaves in one round. Its messages share one latency and
/// follow each other through its port, as stores over a switch do; pairwise is the same with a latency each.
namespace commcost::direct {

extern const Phase all_reduce, all_gather, reduce_scatter, broadcast, reduce, gather, scatter, all_to_all,
    send_receive;

/// α + (p-1)n(β+γ): every rank gets, and adds, every vector.
Counts all_reduce_counts(const Group& group);
/// 2α + 2(p-1)/p·nβ + (p-1)/p·nγ: a direct reduce-scatter, then a direct all-gather.
Counts two_shot_counts(const Group& group);
/// α + (p-1)/p·nβ.
Counts all_gather_counts(const Group& group);
/// α + (p-1)/p·n(β+γ).
Counts reduce_scatter_counts(const Group& group);
/// α + (p-1)nβ: the root's port serves all.
Counts broadcast_counts(const Group& group);
/// α + (p-1)n(β+γ).
Counts reduce_counts(const Group& group);
/// α + (p-1)/p·nβ.
Counts gather_counts(const Group& group);
/// α + (p-1)/p·nβ.
Counts scatter_counts(const Group& group);
/// α + nβ: rank r to rank r + 1.
Counts send_receive_counts(const Group& group);

}  // namespace commcost::direct
