#include "core/collective/algorithms.h"

#include "core/collective/fold.h"
#include "core/collective/halving.h"

namespace commcost::rabenseifner {
namespace {

void write_gather(const Group& group, int round, Round& messages) {
  const Fold fold(group.ranks);
  Group folded = group;
  folded.ranks = fold.active();
  binomial_tree::gather.write(folded, round, messages);
  messages.rename_ranks([&](int index) { return fold.rank_of(index); });
}

}  // namespace

const Phase reduce_scatter = {"reduce_scatter", halving_rounds, write_halving};
const Phase all_gather = {"all_gather", halving_rounds,
                          write_backwards<halving_rounds, write_halving, false>};
const Phase gather = {"gather", halving_rounds, write_gather};

// MPICH's forms have (p-1)/p for (q-1)/q, although the message is cut into q, the power of two within p.
Counts all_reduce_counts(const Group& group) {
  const double parts = power_of_two_within(group.ranks);
  const double halvings = halving_rounds(group);
  const double folds = fold_rounds(group);
  const double added = parts - 1 + folds * parts;
  return {.parts = parts,
          .sent = 2 * (parts - 1) + folds * parts,
          .reduced = added,
          .path = {2 * (halvings + folds), 2 * added, added}};
}

Counts reduce_counts(const Group& group) {
  const double parts = power_of_two_within(group.ranks);
  const double halvings = halving_rounds(group);
  const double folds = fold_rounds(group);
  const double added = parts - 1 + folds * parts;
  return {.parts = parts,
          .sent = parts - 1 + parts / 2,
          .reduced = added,
          .path = {2 * halvings + folds, parts - 1 + added, added}};
}

}  // namespace commcost::rabenseifner
