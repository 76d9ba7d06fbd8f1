#pragma once

#include "core/collective/group.h"
#include "core/collective/round.h"

namespace commcost {

/// Ranks folded into a power of two, so that exchanges at distances 1, 2, 4, ... serve any number of them:
/// `active` ranks take part, each for itself and some for the rank after them too, spread evenly. MPICH folds
/// the first ranks pairwise, at the same cost.
class Fold {
 public:
  /// `ranks` >= 1.
  explicit Fold(int ranks) : ranks_(ranks), active_(power_of_two_within(ranks)) {}

  /// How many take part: the greatest power of two within the ranks.
  int active() const { return active_; }
  /// Whether any rank is left out.
  bool any() const { return active_ != ranks_; }
  /// The rank that is number `index` of those that take part; at `active()`, the number of ranks.
  int rank_of(int index) const {
    return static_cast<int>((static_cast<long long>(index) * ranks_ + active_ - 1) / active_);
  }
  /// Whether that rank also stands for the one after it.
  bool doubles(int index) const { return rank_of(index + 1) - rank_of(index) == 2; }

 private:
  int ranks_;
  int active_;
};

/// 1 where ranks are folded, otherwise 0: the rounds of folding and of unfolding.
int fold_rounds(const Group& group);
/// Each rank that is left out gives its whole vector, all chunks, to the one that stands for it.
void write_fold(const Group& group, int round, Round& messages);
/// Each rank that is left out gives its own block, chunk r of rank r.
void write_fold_block(const Group& group, int round, Round& messages);
/// Each rank that is left out gets the result, all chunks.
void write_unfold(const Group& group, int round, Round& messages);
/// Each rank that is left out gets its own block, chunk r of rank r.
void write_unfold_block(const Group& group, int round, Round& messages);
/// Each rank that is left out gets every block but its own.
void write_unfold_rest(const Group& group, int round, Round& messages);

}  // namespace commcost
