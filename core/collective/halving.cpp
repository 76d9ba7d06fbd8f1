#include "core/collective/halving.h"

#include "core/collective/fold.h"

namespace commcost {
namespace {

// Among a power of two of ranks, chunk r being the one that rank r ends with.
void write_halves(int active, int round, Round& messages) {
  const int half = active >> (round + 1);
  for (int rank = 0; rank < active; ++rank) {
    const int partner = rank ^ half;
    messages.reduce(rank, partner).chunks(partner & -half, half);
  }
}

}  // namespace

int halving_rounds(const Group& group) {
  return floor_log2(group.ranks);
}

void write_halving(const Group& group, int round, Round& messages) {
  const Fold fold(group.ranks);
  write_halves(fold.active(), round, messages);
  messages.rename_ranks([&](int index) { return fold.rank_of(index); });
}

void write_halving_of_blocks(const Group& group, int round, Round& messages) {
  const Fold fold(group.ranks);
  write_halving(group, round, messages);
  messages.rename_chunks([&](int index) { return fold.rank_of(index); });
}

int blocks_kept(const Group& group) {
  int kept = 0;
  for (int lg = floor_log2(group.ranks); lg > 0; --lg) kept += (group.ranks + (1 << lg) - 1) >> lg;
  return kept;
}

}  // namespace commcost
