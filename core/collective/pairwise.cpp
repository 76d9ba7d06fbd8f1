#include "core/collective/algorithms.h"

namespace commcost::pairwise {
namespace {

int rounds(const Group& group) {
  return group.ranks - 1;
}

void write_all_to_all(const Group& group, int round, Round& messages) {
  for (int rank = 0; rank < group.ranks; ++rank) {
    const int to = (rank + round + 1) % group.ranks;
    messages.copy(rank, to).chunks(rank * group.ranks + to);
  }
}

void write_reduce_scatter(const Group& group, int round, Round& messages) {
  for (int rank = 0; rank < group.ranks; ++rank) {
    const int to = (rank + round + 1) % group.ranks;
    messages.reduce(rank, to).chunks(to);
  }
}

}  // namespace

const Phase all_to_all = {"all_to_all", rounds, write_all_to_all};
const Phase reduce_scatter = {"reduce_scatter", rounds, write_reduce_scatter};

// As many blocks in as many rounds as a ring, by another route.
Counts all_to_all_counts(const Group& group) {
  return ring::all_gather_counts(group);
}

Counts reduce_scatter_counts(const Group& group) {
  return ring::reduce_scatter_counts(group);
}

}  // namespace commcost::pairwise
