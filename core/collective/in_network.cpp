#include "core/collective/algorithms.h"

namespace commcost::in_network {
namespace {

int pipeline_rounds(const Group& group) {
  return group.pieces + 1;
}

int up_and_down(const Group&) {
  return 2;
}

bool goes_up(const Group& group, int round) {
  return round < group.pieces;
}

bool comes_down(int round) {
  return round > 0;
}

// Piece `piece` of every rank's block.
void piece_of_all_blocks(const Group& group, int piece, Round& messages) {
  for (int rank = 0; rank < group.ranks; ++rank) messages.chunks(rank * group.pieces + piece);
}

void write_all_reduce(const Group& group, int round, Round& messages) {
  const int network = group.ranks;
  for (int rank = 0; rank < group.ranks; ++rank) {
    if (goes_up(group, round)) messages.reduce(rank, network).chunks(round);
    if (comes_down(round)) messages.copy(network, rank).chunks(round - 1);
  }
}

void write_reduce(const Group& group, int round, Round& messages) {
  const int network = group.ranks;
  for (int rank = 0; rank < group.ranks && goes_up(group, round); ++rank) {
    messages.reduce(rank, network).chunks(round);
  }
  if (comes_down(round)) messages.copy(network, 0).chunks(round - 1);
}

void write_broadcast(const Group& group, int round, Round& messages) {
  const int network = group.ranks;
  if (goes_up(group, round)) messages.copy(0, network).chunks(round);
  for (int rank = 1; rank < group.ranks && comes_down(round); ++rank) {
    messages.copy(network, rank).chunks(round - 1);
  }
}

void write_reduce_scatter(const Group& group, int round, Round& messages) {
  const int network = group.ranks;
  for (int rank = 0; rank < group.ranks; ++rank) {
    if (goes_up(group, round)) {
      messages.reduce(rank, network);
      piece_of_all_blocks(group, round, messages);
    }
    if (comes_down(round)) messages.copy(network, rank).chunks(rank * group.pieces + round - 1);
  }
}

void write_all_gather(const Group& group, int round, Round& messages) {
  const int network = group.ranks;
  for (int rank = 0; rank < group.ranks; ++rank) {
    if (goes_up(group, round)) messages.copy(rank, network).chunks(rank * group.pieces + round);
    if (comes_down(round)) {
      messages.copy(network, rank);
      piece_of_all_blocks(group, round - 1, messages);
    }
  }
}

void write_barrier(const Group& group, int round, Round& messages) {
  const int network = group.ranks;
  for (int rank = 0; rank < group.ranks; ++rank) {
    if (round == 0) {
      messages.copy(rank, network).chunks(rank);
    } else {
      messages.copy(network, rank).chunks(0, group.ranks);
    }
  }
}

}  // namespace

const Phase all_reduce = {"all_reduce", pipeline_rounds, write_all_reduce};
const Phase all_gather = {"all_gather", pipeline_rounds, write_all_gather};
const Phase reduce_scatter = {"reduce_scatter", pipeline_rounds, write_reduce_scatter};
const Phase broadcast = {"broadcast", pipeline_rounds, write_broadcast};
const Phase reduce = {"reduce", pipeline_rounds, write_reduce};
const Phase barrier = {"barrier", up_and_down, write_barrier};

Counts all_reduce_counts(const Group& group) {
  const double pieces = group.pieces;
  return {.parts = pieces, .sent = pieces, .path = {pieces + 1, pieces + 1}};
}

Counts broadcast_counts(const Group& group) {
  return all_reduce_counts(group);
}

Counts reduce_counts(const Group& group) {
  return all_reduce_counts(group);
}

Counts reduce_scatter_counts(const Group& group) {
  const double parts = static_cast<double>(group.ranks) * group.pieces;
  return {.parts = parts, .sent = parts, .path = {group.pieces + 1.0, parts + 1}};
}

Counts all_gather_counts(const Group& group) {
  Counts counts = reduce_scatter_counts(group);
  counts.sent = group.pieces;
  return counts;
}

Counts barrier_counts(const Group&) {
  return {.path = {2}};
}

}  // namespace commcost::in_network
