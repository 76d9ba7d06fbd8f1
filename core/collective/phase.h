#pragma once

#include <string_view>

#include "core/collective/group.h"
#include "core/collective/step.h"

namespace commcost {

/// A stretch of a schedule: the rule that writes each of its steps. Nothing is stored.
struct Phase {
  std::string_view name;                                        ///< such as "reduce_scatter"
  int (*steps)(const Group& group);                             ///< how many steps it has
  void (*write)(const Group& group, int step, Step& messages);  ///< adds the messages of step 0, 1, ...
};

/// The phase run backwards with every message turned round: a tree that collects from one that spreads, an
/// all-gather from a reduce-scatter.
template <int (*Steps)(const Group&), void (*Write)(const Group&, int, Step&), bool Reduce>
void write_backwards(const Group& group, int step, Step& messages) {
  Write(group, Steps(group) - 1 - step, messages);
  messages.turn_round(Reduce);
}

}  // namespace commcost
