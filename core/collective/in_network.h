#pragma once

#include "core/collective/counts.h"
#include "core/collective/phase.h"

/// A switch (SHARP, NVLS) that adds what the ranks send and multicasts the result; in the messages it is the
/// node after the last rank. In k pieces, one going down while the next goes up: n in, n out.
namespace commcost::in_network {

extern const Phase all_reduce, all_gather, reduce_scatter, broadcast, reduce, barrier;

/// (k+1)(α + n/k·β); with k = p pieces the (p+1)/p·nβ of stas00/ml-engineering, network/README.md @744d01e.
Counts all_reduce_counts(const Group& group);
/// (k+1)(α + n/k·β): the root's message up, to the others down.
Counts broadcast_counts(const Group& group);
/// (k+1)(α + n/k·β): everyone's message up, the sum down to the root.
Counts reduce_counts(const Group& group);
/// (k+1)α + (1 + 1/(pk))nβ: all vectors up, a block down to each rank.
Counts reduce_scatter_counts(const Group& group);
/// (k+1)α + (1 + 1/(pk))nβ: a block up from each rank, all of them down.
Counts all_gather_counts(const Group& group);
/// 2α: up and down.
Counts barrier_counts(const Group& group);

}  // namespace commcost::in_network
