#include "core/collective/algorithms.h"

namespace commcost::ring {
namespace {

int round_rounds(const Group& group) {
  return group.ranks - 1;
}

void write_reduce_scatter(const Group& group, int round, Round& messages) {
  for (int rank = 0; rank < group.ranks; ++rank) {
    const int next = rank + 1 < group.ranks ? rank + 1 : 0;
    messages.reduce(rank, next).wrapped(rank - round - 1, 1, group.ranks);
  }
}

void write_all_gather(const Group& group, int round, Round& messages) {
  for (int rank = 0; rank < group.ranks; ++rank) {
    const int next = rank + 1 < group.ranks ? rank + 1 : 0;
    messages.copy(rank, next).wrapped(rank - round, 1, group.ranks);
  }
}

int chain_rounds(const Group& group) {
  return group.ranks - 2 + group.pieces;
}

void write_broadcast(const Group& group, int round, Round& messages) {
  for (int rank = 0; rank + 1 < group.ranks; ++rank) {
    const int piece = round - rank;
    if (piece >= 0 && piece < group.pieces) messages.copy(rank, rank + 1).chunks(piece);
  }
}

}  // namespace

const Phase reduce_scatter = {"reduce_scatter", round_rounds, write_reduce_scatter};
const Phase all_gather = {"all_gather", round_rounds, write_all_gather};
const Phase broadcast = {"broadcast", chain_rounds, write_broadcast};
const Phase reduce = {"reduce", chain_rounds, write_backwards<chain_rounds, write_broadcast, true>};

Counts reduce_scatter_counts(const Group& group) {
  const double others = group.ranks - 1;
  return {.parts = static_cast<double>(group.ranks),
          .sent = others,
          .reduced = others,
          .path = {others, others, others}};
}

Counts all_gather_counts(const Group& group) {
  const double others = group.ranks - 1;
  return {.parts = static_cast<double>(group.ranks), .sent = others, .path = {others, others}};
}

Counts all_reduce_counts(const Group& group) {
  const double others = group.ranks - 1;
  return {.parts = static_cast<double>(group.ranks),
          .sent = 2 * others,
          .reduced = others,
          .path = {2 * others, 2 * others, others}};
}

Counts broadcast_counts(const Group& group) {
  const double rounds = chain_rounds(group);
  const double pieces = group.pieces;
  return {.parts = pieces, .sent = pieces, .path = {rounds, rounds}};
}

Counts reduce_counts(const Group& group) {
  const double rounds = chain_rounds(group);
  const double pieces = group.pieces;
  return {.parts = pieces, .sent = pieces, .reduced = pieces, .path = {rounds, rounds, rounds}};
}

}  // namespace commcost::ring
