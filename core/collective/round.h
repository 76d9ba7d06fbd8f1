#pragma once

#include <span>
#include <vector>

namespace commcost {

/// Chunks `first` to `first + count - 1` of a schedule.
struct ChunkRun {
  int first = 0;
  int count = 0;
};

/// One message of a round: chunks that `from` holds as the round begins, and what `to` does with them.
struct Message {
  int from = 0;         ///< rank, or the number of ranks for the switch
  int to = 0;           ///< rank, or the number of ranks for the switch
  bool reduce = false;  ///< whether `to` adds them to its own; otherwise they replace its own
  int first_run = 0;    ///< where the round's list of runs begins for this message
  int num_runs = 0;     ///< how many runs it has there
};

/// The messages of one round, all under way at once; those that share a port follow each other in the order
/// written. Written by the rules and kept only until the next round.
class Round {
 public:
  /// Forgets all messages and keeps the memory.
  void clear();

  /// Starts a message whose chunks `to` adds to its own.
  Round& reduce(int from, int to);
  /// Starts a message whose chunks replace those of `to`.
  Round& copy(int from, int to);
  /// Adds `count` chunks from `first` on to the message started last.
  Round& chunks(int first, int count = 1);
  /// The same where chunk `modulo` is chunk 0 again; `first` may lie on either side by one turn.
  Round& wrapped(int first, int count, int modulo);

  /// Reverses every message, the last one first, as when a spreading tree becomes a collecting one.
  void reverse(bool reduce);
  /// Replaces each rank by rank `rename(rank)`.
  template <class Rename>
  void rename_ranks(Rename rename) {
    for (Message& message : messages_) {
      message.from = rename(message.from);
      message.to = rename(message.to);
    }
  }
  /// Replaces each run by the chunks `begin(first)` to `begin(first + count) - 1`.
  template <class Begin>
  void rename_chunks(Begin begin) {
    for (ChunkRun& run : runs_) {
      const int end = begin(run.first + run.count);
      run.first = begin(run.first);
      run.count = end - run.first;
    }
  }

  /// The messages, in the order written.
  std::span<const Message> messages() const { return messages_; }
  /// The chunks of a message of this round.
  std::span<const ChunkRun> chunks_of(const Message& message) const;

 private:
  std::vector<Message> messages_;
  std::vector<ChunkRun> runs_;
};

}  // namespace commcost
