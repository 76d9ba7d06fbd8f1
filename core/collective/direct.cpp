#include "core/collective/algorithms.h"

namespace commcost::direct {
namespace {

int one(const Group&) {
  return 1;
}

// Calls `visit` with every two different ranks, the sender first. Each begins with the rank after it, so that
// no two reach for one port at once.
template <class Visit>
void for_each_pair(const Group& group, Visit visit) {
  for (int distance = 1; distance < group.ranks; ++distance) {
    for (int from = 0; from < group.ranks; ++from) visit(from, (from + distance) % group.ranks);
  }
}

// Calls `visit` with every rank but the root.
template <class Visit>
void for_each_other(const Group& group, Visit visit) {
  for (int rank = 1; rank < group.ranks; ++rank) visit(rank);
}

void write_all_reduce(const Group& group, int, Round& messages) {
  for_each_pair(group, [&](int from, int to) { messages.reduce(from, to).chunks(0); });
}

void write_all_gather(const Group& group, int, Round& messages) {
  for_each_pair(group, [&](int from, int to) { messages.copy(from, to).chunks(from); });
}

void write_reduce_scatter(const Group& group, int, Round& messages) {
  for_each_pair(group, [&](int from, int to) { messages.reduce(from, to).chunks(to); });
}

void write_broadcast(const Group& group, int, Round& messages) {
  for_each_other(group, [&](int rank) { messages.copy(0, rank).chunks(0); });
}

void write_scatter(const Group& group, int, Round& messages) {
  for_each_other(group, [&](int rank) { messages.copy(0, rank).chunks(rank); });
}

void write_all_to_all(const Group& group, int, Round& messages) {
  for_each_pair(group, [&](int from, int to) { messages.copy(from, to).chunks(from * group.ranks + to); });
}

void write_send_receive(const Group& group, int, Round& messages) {
  for (int rank = 0; rank < group.ranks; ++rank) messages.copy(rank, (rank + 1) % group.ranks).chunks(rank);
}

// One round in which the busiest port carries the blocks of all other ranks.
Counts blocks_of_others(const Group& group) {
  const double others = group.ranks - 1;
  return {.parts = static_cast<double>(group.ranks), .sent = others, .path = {1, others}};
}

// One round in which it carries a whole message for each of them.
Counts messages_of_others(const Group& group) {
  const double others = group.ranks - 1;
  return {.sent = others, .path = {1, others}};
}

}  // namespace

const Phase all_reduce = {"all_reduce", one, write_all_reduce};
const Phase all_gather = {"all_gather", one, write_all_gather};
const Phase reduce_scatter = {"reduce_scatter", one, write_reduce_scatter};
const Phase broadcast = {"broadcast", one, write_broadcast};
const Phase reduce = {"reduce", one, write_backwards<one, write_broadcast, true>};
const Phase gather = {"gather", one, write_backwards<one, write_scatter, false>};
const Phase scatter = {"scatter", one, write_scatter};
const Phase all_to_all = {"all_to_all", one, write_all_to_all};
const Phase send_receive = {"send_receive", one, write_send_receive};

Counts all_reduce_counts(const Group& group) {
  Counts counts = messages_of_others(group);
  counts.reduced = counts.path.reduced = counts.sent;
  return counts;
}

Counts two_shot_counts(const Group& group) {
  const double others = group.ranks - 1;
  return {.parts = static_cast<double>(group.ranks),
          .sent = 2 * others,
          .reduced = others,
          .path = {2, 2 * others, others}};
}

Counts all_gather_counts(const Group& group) {
  return blocks_of_others(group);
}

Counts reduce_scatter_counts(const Group& group) {
  Counts counts = blocks_of_others(group);
  counts.reduced = counts.path.reduced = counts.sent;
  return counts;
}

Counts broadcast_counts(const Group& group) {
  return messages_of_others(group);
}

Counts reduce_counts(const Group& group) {
  Counts counts = all_reduce_counts(group);
  counts.sent = 1;
  return counts;
}

Counts gather_counts(const Group& group) {
  Counts counts = blocks_of_others(group);
  counts.sent = 1;
  return counts;
}

Counts scatter_counts(const Group& group) {
  return blocks_of_others(group);
}

Counts send_receive_counts(const Group&) {
  return {.sent = 1, .path = {1, 1}};
}

}  // namespace commcost::direct
