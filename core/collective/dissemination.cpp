#include "core/collective/dissemination.h"

namespace commcost::dissemination {
namespace {

int steps(const Group& group) {
  return ceil_log2(group.ranks);
}

void write_barrier(const Group& group, int step, Step& messages) {
  const int known = 1 << step;
  for (int rank = 0; rank < group.ranks; ++rank) {
    messages.copy(rank, (rank + known) % group.ranks).wrapped(rank - known + 1, known, group.ranks);
  }
}

}  // namespace

const Phase barrier = {"barrier", steps, write_barrier};

Counts barrier_counts(const Group& group) {
  return {.path = {static_cast<double>(steps(group))}};
}

}  // namespace commcost::dissemination
