#include "core/collective/algorithms.h"

#include <algorithm>

namespace commcost::binomial_tree {
namespace {

int depth(const Group& group) {
  return ceil_log2(group.ranks);
}

// Calls `visit` with parent, child and the distance between them, the largest distance first.
template <class Visit>
void for_each_edge(const Group& group, int round, Visit visit) {
  const int distance = 1 << (depth(group) - 1 - round);
  for (int parent = 0; parent + distance < group.ranks; parent += 2 * distance) {
    visit(parent, parent + distance, distance);
  }
}

void write_broadcast(const Group& group, int round, Round& messages) {
  for_each_edge(group, round,
                [&](int parent, int child, int) { messages.copy(parent, child).chunks(0, group.chunks); });
}

void write_scatter(const Group& group, int round, Round& messages) {
  for_each_edge(group, round, [&](int parent, int child, int distance) {
    messages.copy(parent, child).chunks(child, std::min(distance, group.ranks - child));
  });
}

}  // namespace

const Phase broadcast = {"broadcast", depth, write_broadcast};
const Phase reduce = {"reduce", depth, write_backwards<depth, write_broadcast, true>};
const Phase scatter = {"scatter", depth, write_scatter};
const Phase gather = {"gather", depth, write_backwards<depth, write_scatter, false>};

Counts broadcast_counts(const Group& group) {
  const double rounds = depth(group);
  return {.sent = rounds, .path = {rounds, rounds}};
}

Counts reduce_counts(const Group& group) {
  const double rounds = depth(group);
  return {.sent = 1, .reduced = rounds, .path = {rounds, rounds, rounds}};
}

Counts all_reduce_counts(const Group& group) {
  const double rounds = depth(group);
  return {.sent = rounds, .reduced = rounds, .path = {2 * rounds, 2 * rounds, rounds}};
}

Counts scatter_counts(const Group& group) {
  const double others = group.ranks - 1;
  return {.parts = static_cast<double>(group.ranks),
          .sent = others,
          .path = {static_cast<double>(depth(group)), others}};
}

Counts gather_counts(const Group& group) {
  Counts counts = scatter_counts(group);
  // The root only receives. The farthest child has the rest of the ranks beneath it, the next a quarter or
  // more of them.
  const int farthest = 1 << (depth(group) - 1);
  counts.sent = std::max(group.ranks - farthest, farthest / 2);
  return counts;
}

Counts scatter_all_gather_counts(const Group& group) {
  const double others = group.ranks - 1;
  return {.parts = static_cast<double>(group.ranks),
          .sent = 2 * others,
          .path = {depth(group) + others, 2 * others}};
}

Counts barrier_counts(const Group& group) {
  return {.path = {2.0 * depth(group)}};
}

}  // namespace commcost::binomial_tree
