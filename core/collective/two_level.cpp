#include "core/collective/algorithms.h"

namespace commcost::two_level {
namespace {

int groups_of(const Group& group) {
  return group.ranks / group.group_size;
}

int inside_rounds(const Group& group) {
  return group.group_size - 1;
}

int across_rounds(const Group& group) {
  return groups_of(group) - 1;
}

// Which chunk of a ring goes on from `index`: adding up, the one that ends a full turn later; otherwise the
// one that has just arrived.
int passed_on(int index, int round, int size, bool reduce) {
  return (index - round - (reduce ? 1 : 0) + size) % size;
}

Round& message(Round& messages, int from, int to, bool reduce) {
  return reduce ? messages.reduce(from, to) : messages.copy(from, to);
}

template <bool Reduce>
void write_inside(const Group& group, int round, Round& messages) {
  const int size = group.group_size;
  for (int first = 0; first < group.ranks; first += size) {
    for (int member = 0; member < size; ++member) {
      message(messages, first + member, first + (member + 1) % size, Reduce);
      for (int block = passed_on(member, round, size, Reduce); block < group.ranks; block += size) {
        messages.chunks(block);
      }
    }
  }
}

template <bool Reduce>
void write_across(const Group& group, int round, Round& messages) {
  const int groups = groups_of(group);
  for (int rank = 0; rank < group.ranks; ++rank) {
    const int index = rank / group.group_size;
    const int member = rank % group.group_size;
    message(messages, rank, (rank + group.group_size) % group.ranks, Reduce)
        .chunks(passed_on(index, round, groups, Reduce) * group.group_size + member);
  }
}

Counts one_way(const Group& group, bool reduce) {
  const double others = group.ranks - 1;
  const double inside = static_cast<double>(inside_rounds(group)) * groups_of(group);
  Counts counts = {.parts = static_cast<double>(group.ranks),
                   .sent = others,
                   .path = {static_cast<double>(inside_rounds(group) + across_rounds(group)), others},
                   .inside = {static_cast<double>(inside_rounds(group)), inside}};
  if (reduce) {
    counts.reduced = counts.path.reduced = others;
    counts.inside.reduced = inside;
  }
  return counts;
}

}  // namespace

const Phase reduce_scatter_inside = {"reduce_scatter_inside", inside_rounds, write_inside<true>};
const Phase reduce_scatter_across = {"reduce_scatter_across", across_rounds, write_across<true>};
const Phase all_gather_across = {"all_gather_across", across_rounds, write_across<false>};
const Phase all_gather_inside = {"all_gather_inside", inside_rounds, write_inside<false>};

Counts all_reduce_counts(const Group& group) {
  Counts counts = one_way(group, true);
  counts.sent *= 2;
  counts.path.rounds *= 2;
  counts.path.chunks *= 2;
  counts.inside.rounds *= 2;
  counts.inside.chunks *= 2;
  return counts;
}

Counts reduce_scatter_counts(const Group& group) {
  return one_way(group, true);
}

Counts all_gather_counts(const Group& group) {
  return one_way(group, false);
}

}  // namespace commcost::two_level
