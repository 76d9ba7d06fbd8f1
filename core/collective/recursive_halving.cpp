#include "core/collective/recursive_halving.h"

#include "core/collective/fold.h"
#include "core/collective/halving.h"

namespace commcost::recursive_halving {

const Phase reduce_scatter = {"reduce_scatter", halving_steps, write_halving_of_blocks};
const Phase unfold_block = {"unfold", fold_steps, write_unfold_block};

Counts reduce_scatter_counts(const Group& group) {
  const double ranks = group.ranks;
  const double others = ranks - 1;
  const double steps = halving_steps(group);
  if (fold_steps(group) == 0) {
    return {.parts = ranks, .sent = others, .reduced = others, .path = {steps, others, others}};
  }
  return {.parts = ranks,
          .sent = ranks,
          .reduced = ranks + blocks_kept(group),
          .path = {steps + 2, 2 * ranks, ranks + others}};
}

}  // namespace commcost::recursive_halving
