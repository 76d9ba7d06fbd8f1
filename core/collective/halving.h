#pragma once

#include "core/collective/group.h"
#include "core/collective/round.h"

namespace commcost {

/// Rounds of recursive halving or doubling among the ranks that a fold leaves: lg of their number.
int halving_rounds(const Group& group);

/// Recursive halving on a vector of as many chunks as ranks take part: each keeps the half in which its own
/// chunk lies and sends its partner the other (Thakur et al., IJHPCA 19(1), 2005).
void write_halving(const Group& group, int round, Round& messages);
/// The same on a vector of a chunk per rank, of which those that stand for two keep two.
void write_halving_of_blocks(const Group& group, int round, Round& messages);
/// Blocks that rank 0 keeps in all rounds of that together, the most of any rank: p-1 where ranks are a power
/// of two, otherwise the sum of p/2, p/4, ..., each rounded up.
int blocks_kept(const Group& group);

}  // namespace commcost
