#include "core/collective/rabenseifner.h"

#include "core/collective/binomial_tree.h"
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

// MPICH's forms count a p-th of the message where p is no power of two, too.
double others_share(const Group& group) {
  return static_cast<double>(group.ranks - 1) / group.ranks;
}

}  // namespace

const Phase reduce_scatter = {"reduce_scatter", halving_rounds, write_halving};
const Phase all_gather = {"all_gather", halving_rounds,
                          write_backwards<halving_rounds, write_halving, false>};
const Phase gather = {"gather", halving_rounds, write_gather};

Counts all_reduce_counts(const Group& group) {
  const double parts = power_of_two_within(group.ranks);
  const double halvings = halving_rounds(group);
  const double folds = fold_rounds(group);
  const double others = parts * others_share(group);
  return {.parts = parts,
          .sent = 2 * (parts - 1) + folds * parts,
          .reduced = parts - 1 + folds * parts,
          .path = {2 * (halvings + folds), 2 * (others + folds * parts), others + folds * parts}};
}

Counts reduce_counts(const Group& group) {
  const double parts = power_of_two_within(group.ranks);
  const double halvings = halving_rounds(group);
  const double folds = fold_rounds(group);
  const double others = parts * others_share(group);
  return {.parts = parts,
          .sent = parts - 1 + parts / 2,
          .reduced = parts - 1 + folds * parts,
          .path = {2 * halvings + folds, 2 * others + folds * parts, others + folds * parts}};
}

}  // namespace commcost::rabenseifner
