#pragma once

#include "core/collective/group.h"

namespace commcost {

/// The critical path of a collective: rounds of latency, chunks moved, chunks added.
struct PathCounts {
  double rounds = 0;   ///< messages one after the other
  double chunks = 0;   ///< chunks moved one after the other
  double reduced = 0;  ///< chunks added one after the other
};

/// A collective in closed form, for at least 2 ranks: what an execution of it counts. All chunks are of one
/// size, message / parts.
struct Counts {
  double parts = 1;        ///< chunks that make a message
  double sent = 0;         ///< chunks that the busiest sender sends
  double reduced = 0;      ///< chunks that the busiest rank adds
  PathCounts path = {};    ///< what Hockney's model charges
  PathCounts inside = {};  ///< the part of `path` within groups; the rest goes across them
};

/// Counts by an algorithm, for at least 2 ranks.
using ClosedForm = Counts(const Group& group);

}  // namespace commcost
