#include "core/collective/algorithms.h"

#include "core/collective/fold.h"
#include "core/collective/halving.h"

namespace commcost::recursive_halving {

const Phase reduce_scatter = {"reduce_scatter", halving_rounds, write_halving_of_blocks};
const Phase unfold_block = {"unfold", fold_rounds, write_unfold_block};

Counts reduce_scatter_counts(const Group& group) {
  const double ranks = group.ranks;
  const double others = ranks - 1;
  const double rounds = halving_rounds(group);
  if (fold_rounds(group) == 0) {
    return {.parts = ranks, .sent = others, .reduced = others, .path = {rounds, others, others}};
  }
  const double added = ranks + blocks_kept(group);
  return {.parts = ranks, .sent = ranks, .reduced = added, .path = {rounds + 2, added + 1, added}};
}

}  // namespace commcost::recursive_halving
