#pragma once

#include <string_view>

#include "core/collective/method.h"
#include "core/collective/round.h"

namespace commcost {

/// Ranks that have a chunk: one of them, or all.
struct Holders {
  int first = 0;
  int count = 1;

  bool has(int rank) const { return rank >= first && rank < first + count; }
};

/// A collective round by round. Only the rule is held: each round is written on demand.
class Schedule {
 public:
  /// `group.chunks` is filled in; at one rank there are no rounds.
  Schedule(const Method& method, Group group);

  /// The collective and algorithm.
  const Method& method() const { return *method_; }
  /// The ranks, with the number of chunks that the schedule tells apart.
  const Group& group() const { return group_; }
  /// How many rounds there are.
  int rounds() const { return rounds_; }
  /// The name of the phase that a round belongs to, such as "reduce_scatter".
  std::string_view phase_of(int round) const;
  /// Writes the messages of `round` (0 to rounds() - 1) over what `messages` held.
  void write(int round, Round& messages) const;

  /// Chunks that make one message: all of them, or a rank's share where each rank has its own message.
  int chunks_per_message() const;
  /// The rank that owns a chunk, where chunks belong to ranks.
  int owner_of(int chunk) const { return chunk / (group_.chunks / group_.ranks); }
  /// Which slot of a rank's message a chunk takes, 0 to chunks_per_message() - 1. In all-to-all the blocks of
  /// one distance share one: a rank has one of them at any time.
  int slot_of(int chunk) const;
  /// The ranks that have `chunk` before the first round.
  Holders holders_at_start(int chunk) const;
  /// The ranks that must have `chunk`, added up where the collective adds, after the last round.
  Holders holders_at_end(int chunk) const;
  /// Whether the messages name a switch, as the node after the last rank.
  bool has_switch() const { return method_->algorithm == Algorithm::in_network; }

 private:
  struct Place {
    const Phase* phase;
    int round;
  };
  Place place_of(int round) const;

  const Method* method_;
  Group group_;
  int rounds_ = 0;
};

}  // namespace commcost
