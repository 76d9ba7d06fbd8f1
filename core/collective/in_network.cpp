#include "core/collective/in_network.h"

namespace commcost::in_network {
namespace {

int pipeline_steps(const Group& group) {
  return group.pieces + 1;
}

int up_and_down(const Group&) {
  return 2;
}

bool goes_up(const Group& group, int step) {
  return step < group.pieces;
}

bool comes_down(int step) {
  return step > 0;
}

// Piece `piece` of every rank's block.
void piece_of_all_blocks(const Group& group, int piece, Step& messages) {
  for (int rank = 0; rank < group.ranks; ++rank) messages.chunks(rank * group.pieces + piece);
}

void write_all_reduce(const Group& group, int step, Step& messages) {
  const int network = group.ranks;
  for (int rank = 0; rank < group.ranks; ++rank) {
    if (goes_up(group, step)) messages.reduce(rank, network).chunks(step);
    if (comes_down(step)) messages.copy(network, rank).chunks(step - 1);
  }
}

void write_reduce(const Group& group, int step, Step& messages) {
  const int network = group.ranks;
  for (int rank = 0; rank < group.ranks && goes_up(group, step); ++rank) {
    messages.reduce(rank, network).chunks(step);
  }
  if (comes_down(step)) messages.copy(network, 0).chunks(step - 1);
}

void write_broadcast(const Group& group, int step, Step& messages) {
  const int network = group.ranks;
  if (goes_up(group, step)) messages.copy(0, network).chunks(step);
  for (int rank = 1; rank < group.ranks && comes_down(step); ++rank) {
    messages.copy(network, rank).chunks(step - 1);
  }
}

void write_reduce_scatter(const Group& group, int step, Step& messages) {
  const int network = group.ranks;
  for (int rank = 0; rank < group.ranks; ++rank) {
    if (goes_up(group, step)) {
      messages.reduce(rank, network);
      piece_of_all_blocks(group, step, messages);
    }
    if (comes_down(step)) messages.copy(network, rank).chunks(rank * group.pieces + step - 1);
  }
}

void write_all_gather(const Group& group, int step, Step& messages) {
  const int network = group.ranks;
  for (int rank = 0; rank < group.ranks; ++rank) {
    if (goes_up(group, step)) messages.copy(rank, network).chunks(rank * group.pieces + step);
    if (comes_down(step)) {
      messages.copy(network, rank);
      piece_of_all_blocks(group, step - 1, messages);
    }
  }
}

void write_barrier(const Group& group, int step, Step& messages) {
  const int network = group.ranks;
  for (int rank = 0; rank < group.ranks; ++rank) {
    if (step == 0) {
      messages.copy(rank, network).chunks(rank);
    } else {
      messages.copy(network, rank).chunks(0, group.ranks);
    }
  }
}

}  // namespace

const Phase all_reduce = {"all_reduce", pipeline_steps, write_all_reduce};
const Phase all_gather = {"all_gather", pipeline_steps, write_all_gather};
const Phase reduce_scatter = {"reduce_scatter", pipeline_steps, write_reduce_scatter};
const Phase broadcast = {"broadcast", pipeline_steps, write_broadcast};
const Phase reduce = {"reduce", pipeline_steps, write_reduce};
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
