#include "core/collective/algorithms.h"

#include <algorithm>

namespace commcost::bruck {
namespace {

int rounds(const Group& group) {
  return ceil_log2(group.ranks);
}

void write_all_gather(const Group& group, int round, Round& messages) {
  const int distance = 1 << round;
  const int count = std::min(distance, group.ranks - distance);
  for (int rank = 0; rank < group.ranks; ++rank) {
    const int to = rank >= distance ? rank - distance : rank - distance + group.ranks;
    messages.copy(rank, to).wrapped(rank, count, group.ranks);
  }
}

void write_all_to_all(const Group& group, int round, Round& messages) {
  const int ranks = group.ranks;
  const int hop = 1 << round;
  for (int rank = 0; rank < ranks; ++rank) {
    messages.copy(rank, (rank + hop) % ranks);
    for (int distance = hop; distance < ranks; ++distance) {
      if ((distance & hop) == 0) continue;
      // The bits below have been travelled already.
      const int source = (rank - distance % hop + ranks) % ranks;
      messages.chunks(source * ranks + (source + distance) % ranks);
    }
  }
}

// Numbers from 1 to `ranks` - 1 that have bit `bit`.
int with_bit(int ranks, int bit) {
  const int hop = 1 << bit;
  return (ranks >> (bit + 1) << bit) + std::max(0, (ranks & (2 * hop - 1)) - hop);
}

}  // namespace

const Phase all_gather = {"all_gather", rounds, write_all_gather};
const Phase all_to_all = {"all_to_all", rounds, write_all_to_all};

Counts all_gather_counts(const Group& group) {
  const double others = group.ranks - 1;
  return {.parts = static_cast<double>(group.ranks),
          .sent = others,
          .path = {static_cast<double>(rounds(group)), others}};
}

Counts all_to_all_counts(const Group& group) {
  double sent = 0;
  for (int bit = 0; bit < rounds(group); ++bit) sent += with_bit(group.ranks, bit);
  return {.parts = static_cast<double>(group.ranks),
          .sent = sent,
          .path = {static_cast<double>(rounds(group)), sent}};
}

}  // namespace commcost::bruck
