#include "core/collective/algorithms.h"

#include "core/collective/fold.h"
#include "core/collective/halving.h"

namespace commcost::recursive_doubling {
namespace {

void write_exchange(const Group& group, int round, Round& messages) {
  const Fold fold(group.ranks);
  for (int index = 0; index < fold.active(); ++index) {
    messages.reduce(fold.rank_of(index), fold.rank_of(index ^ (1 << round))).chunks(0);
  }
}

}  // namespace

const Phase exchange = {"exchange", halving_rounds, write_exchange};
const Phase all_gather = {"all_gather", halving_rounds,
                          write_backwards<halving_rounds, write_halving_of_blocks, false>};
const Phase fold = {"fold", fold_rounds, write_fold};
const Phase fold_block = {"fold", fold_rounds, write_fold_block};
const Phase unfold = {"unfold", fold_rounds, write_unfold};
const Phase unfold_rest = {"unfold", fold_rounds, write_unfold_rest};

Counts all_reduce_counts(const Group& group) {
  const double exchanges = halving_rounds(group);
  const double folds = fold_rounds(group);
  const double messages = exchanges + 2 * folds;
  return {.sent = exchanges + folds,
          .reduced = exchanges + folds,
          .path = {messages, messages, exchanges + folds}};
}

Counts all_gather_counts(const Group& group) {
  const double ranks = group.ranks;
  const double others = ranks - 1;
  const double rounds = halving_rounds(group);
  if (fold_rounds(group) == 0) return {.parts = ranks, .sent = others, .path = {rounds, others}};
  const double doubled = blocks_kept(group);
  return {.parts = ranks, .sent = doubled + others, .path = {rounds + 2, 1 + doubled + others}};
}

}  // namespace commcost::recursive_doubling
