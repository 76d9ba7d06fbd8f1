#pragma once

#include <vector>

#include "core/collective/hockney.h"
#include "core/collective/method.h"

namespace commcost {

/// A message size at which two algorithms take the same time.
struct Crossover {
  Algorithm quicker_below;    ///< for smaller messages
  Algorithm quicker_above;    ///< for larger messages
  double message_size_bytes;  ///< not rounded to whole bytes
  double time_us;             ///< of both, there
};

/// A range of message sizes in which one algorithm is fastest.
struct QuickestRange {
  Algorithm algorithm;  ///< the first in the table, where several are
  double from_bytes;    ///< least size of the range
  double to_bytes;      ///< greatest
};

/// How the algorithms for one collective compare over message sizes from 1 to 2^53 - 1 bytes.
struct Comparison {
  std::vector<Crossover> crossovers;    ///< of every two of them, by size
  std::vector<QuickestRange> quickest;  ///< by size, without gaps
};

/// Compares all methods for `collective`; with `one_port` only those in which a rank sends at most one
/// message at a time to another rank. `group.pieces` 0: each pipeline in the number of pieces best for each
/// size. Where both are straight lines (fixed pieces), a crossover is the quotient of the differences of
/// their latencies and of their slopes; here it is found from the closed forms themselves, by bisection.
Comparison compare(Collective collective, const Group& group, const HockneyMachine& machine, bool one_port);

}  // namespace commcost
