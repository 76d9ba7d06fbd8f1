#pragma once

#include <vector>

#include "core/collective/schedule.h"

namespace commcost {

/// What an execution counted, in elements; "busiest" is the greatest of any rank, a switch not counted.
struct Tally {
  double rounds = 0;           ///< rounds in which a message was under way
  double sent = 0;             ///< elements that the busiest sender sent
  double received = 0;         ///< elements that the busiest receiver got
  double reduced = 0;          ///< elements that the busiest rank added
  double path_elements = 0;    ///< the busiest port's elements of each round, summed
  double path_reduced = 0;     ///< the busiest adder's elements of each round, summed
  int most_messages_sent = 0;  ///< by one rank in one round
  int most_messages_got = 0;   ///< by one rank in one round
  int to_itself = 0;           ///< messages from a rank, or the switch, to itself: no schedule has any
};

/// Runs a schedule on real numbers: every rank has a buffer with one slot per chunk, and a message moves what
/// its sender held when the round began. What a rank does not have is NaN, and so is everything computed from
/// it.
class Executor {
 public:
  /// A message has `length` elements (>= 0); its chunks' lengths differ by at most one. A barrier's chunks
  /// have one element each, which is not counted.
  Executor(const Schedule& schedule, int length);

  /// Elements of a chunk.
  int length_of(int chunk) const {
    const auto slot = static_cast<std::size_t>(schedule_.slot_of(chunk));
    return begins_[slot + 1] - begins_[slot];
  }
  /// One rank's elements of a chunk; at first NaN.
  double* at(int rank, int chunk);
  /// Runs all rounds and counts.
  Tally run();

 private:
  template <class Visit>
  void for_each_chunk(const Round& round, Visit visit);
  void move(const Round& round);
  void count(const Round& round, Tally& tally);

  const Schedule& schedule_;
  std::vector<int> begins_;  // of each slot in a rank's buffer, and the end of the last
  std::vector<double> room_;
  std::vector<double> in_flight_;
  struct Load {
    double sent = 0;
    double received = 0;
    double reduced = 0;
  };
  std::vector<Load> totals_;
};

/// Whether executing the schedule on `length` numbers a message leaves every rank with exactly the right
/// ones, with no message from a rank to itself.
bool executes_correctly(const Schedule& schedule, int length);

}  // namespace commcost
