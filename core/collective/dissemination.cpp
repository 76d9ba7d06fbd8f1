#include "core/collective/algorithms.h"

namespace commcost::dissemination {
namespace {

int rounds(const Group& group) {
  return ceil_log2(group.ranks);
}

void write_barrier(const Group& group, int round, Round& messages) {
  const int known = 1 << round;
  for (int rank = 0; rank < group.ranks; ++rank) {
    messages.copy(rank, (rank + known) % group.ranks).wrapped(rank - known + 1, known, group.ranks);
  }
}

}  // namespace

const Phase barrier = {"barrier", rounds, write_barrier};

Counts barrier_counts(const Group& group) {
  return {.path = {static_cast<double>(rounds(group))}};
}

}  // namespace commcost::dissemination
