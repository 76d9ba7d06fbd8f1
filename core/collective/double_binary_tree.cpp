#include "core/collective/algorithms.h"

#include <algorithm>

namespace commcost::double_binary_tree {
namespace {

// Both trees are heaps: position q has the children 2q+1 and 2q+2, and only positions below ranks/2 have any.
// The second tree numbers the ranks backwards, so that a rank with children in one is a leaf of the other.
struct Trees {
  int first;  // rank at position 0 of the first tree
  int ranks;

  int rank_of(int tree, int position) const { return first + (tree == 0 ? position : ranks - 1 - position); }
};

int depth_of(int position) {
  return floor_log2(position + 1);
}

// Whether the edge into a position is the second in a round to use the ports at its two ends. Siblings take
// turns, so do a rank's edges in the two trees, and the source's two: no port has two messages at once
// (Sanders, Speck & Träff colour the edges of their trees for this).
bool goes_second(const Trees& trees, int tree, int position) {
  const bool alone = position == 0 || (position % 2 == 1 && position + 1 == trees.ranks);
  return (alone ? tree : position + tree * trees.ranks) % 2 == 1;
}

// All edges down into position `from` and beyond at one round; the edge into a position at `depth` carries
// its first piece at round `depth - shift`.
template <class Parent>
void write_edges(const Trees& trees, int from, int shift, const Group& group, int round, Round& messages,
                 Parent parent) {
  for (const bool second : {false, true}) {
    for (int tree = 0; tree < 2; ++tree) {
      for (int position = from; position < trees.ranks; ++position) {
        const int piece = round - (depth_of(position) - shift);
        if (piece < 0 || piece >= group.pieces) continue;
        if (goes_second(trees, tree, position) != second) continue;
        messages.copy(parent(tree, position), trees.rank_of(tree, position))
            .chunks(tree * group.pieces + piece);
      }
    }
  }
}

int down_rounds(const Group& group) {
  return depth_of(group.ranks - 1) + group.pieces - 1;
}

void write_down(const Group& group, int round, Round& messages) {
  const Trees trees{0, group.ranks};
  write_edges(trees, 1, 1, group, round, messages,
              [&](int tree, int position) { return trees.rank_of(tree, (position - 1) / 2); });
}

int broadcast_rounds(const Group& group) {
  return depth_of(group.ranks - 2) + group.pieces;
}

void write_broadcast(const Group& group, int round, Round& messages) {
  const Trees trees{1, group.ranks - 1};
  write_edges(trees, 0, 0, group, round, messages, [&](int tree, int position) {
    return position == 0 ? 0 : trees.rank_of(tree, (position - 1) / 2);
  });
}

// Chunks that go one after the other down trees of `ranks` in `rounds` rounds: two children's a round. Where
// the deepest level holds a single rank, the last round has only that.
double chunks_down(int ranks, double rounds) {
  return 2 * rounds - (is_power_of_two(ranks) ? 1 : 0);
}

}  // namespace

const Phase reduce_up = {"reduce", down_rounds, write_backwards<down_rounds, write_down, true>};
const Phase broadcast_down = {"broadcast", down_rounds, write_down};
const Phase broadcast = {"broadcast", broadcast_rounds, write_broadcast};
const Phase reduce = {"reduce", broadcast_rounds, write_backwards<broadcast_rounds, write_broadcast, true>};

Counts all_reduce_counts(const Group& group) {
  const double pieces = group.pieces;
  const double rounds = down_rounds(group);
  const double chunks = group.ranks == 2 ? pieces : chunks_down(group.ranks, rounds);
  // A rank with a parent and two children sends once up and twice down, and once up as a leaf of the other
  // tree; trees of 2 to 4 ranks have no such rank.
  const double sends = group.ranks == 2 ? 2 : group.ranks < 5 ? 3 : 4;
  return {.parts = 2 * pieces,
          .sent = sends * pieces,
          .reduced = std::min(group.ranks - 1, 2) * pieces,
          .path = {2 * rounds, 2 * chunks, chunks}};
}

Counts broadcast_counts(const Group& group) {
  const double pieces = group.pieces;
  const double rounds = broadcast_rounds(group);
  const int below = group.ranks - 1;
  const double chunks = below == 1 ? 2 * pieces : chunks_down(below, rounds);
  return {.parts = 2 * pieces, .sent = 2 * pieces, .path = {rounds, chunks}};
}

Counts reduce_counts(const Group& group) {
  Counts counts = broadcast_counts(group);
  counts.reduced = counts.sent;
  counts.path.reduced = counts.path.chunks;
  return counts;
}

}  // namespace commcost::double_binary_tree
