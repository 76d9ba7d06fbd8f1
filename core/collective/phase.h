#pragma once

#include <string_view>

#include "core/collective/group.h"
#include "core/collective/round.h"

namespace commcost {

/// A stretch of a schedule: the rule that writes each of its rounds. Nothing is stored.
struct Phase {
  std::string_view name;                                          ///< such as "reduce_scatter"
  int (*rounds)(const Group& group);                              ///< how many rounds it has
  void (*write)(const Group& group, int round, Round& messages);  ///< adds the messages of round 0, 1, ...
};

/// The phase run backwards with every message reversed: a collecting tree from a spreading one, an all-gather
/// from a reduce-scatter.
template <int (*Rounds)(const Group&), void (*Write)(const Group&, int, Round&), bool Reduce>
void write_backwards(const Group& group, int round, Round& messages) {
  Write(group, Rounds(group) - 1 - round, messages);
  messages.reverse(Reduce);
}

}  // namespace commcost
