#include "core/collective/fold.h"

namespace commcost {
namespace {

// Calls `visit` with each rank that stands for another and that other rank.
template <class Visit>
void for_each_pair(const Group& group, Visit visit) {
  const Fold fold(group.ranks);
  for (int index = 0; index < fold.active(); ++index) {
    const int rank = fold.rank_of(index);
    if (fold.doubles(index)) visit(rank, rank + 1);
  }
}

}  // namespace

int fold_rounds(const Group& group) {
  return Fold(group.ranks).any() ? 1 : 0;
}

void write_fold(const Group& group, int, Round& messages) {
  for_each_pair(group,
                [&](int rank, int left_out) { messages.reduce(left_out, rank).chunks(0, group.chunks); });
}

void write_fold_block(const Group& group, int, Round& messages) {
  for_each_pair(group, [&](int rank, int left_out) { messages.copy(left_out, rank).chunks(left_out); });
}

void write_unfold(const Group& group, int, Round& messages) {
  for_each_pair(group,
                [&](int rank, int left_out) { messages.copy(rank, left_out).chunks(0, group.chunks); });
}

void write_unfold_block(const Group& group, int, Round& messages) {
  for_each_pair(group, [&](int rank, int left_out) { messages.copy(rank, left_out).chunks(left_out); });
}

void write_unfold_rest(const Group& group, int, Round& messages) {
  for_each_pair(group, [&](int rank, int left_out) {
    messages.copy(rank, left_out).wrapped(left_out + 1, group.ranks - 1, group.ranks);
  });
}

}  // namespace commcost
