#pragma once

#include "core/collective/counts.h"

namespace commcost {

/// A link by Hockney's model: a message of n bytes takes latency + n / bandwidth; both ways at once.
struct HockneyLink {
  double latency_us = 0;            ///< alpha, >= 0
  double bandwidth_gb_per_sec = 1;  ///< 1 / beta, one way, per rank, > 0
};

/// What ranks are joined by and how fast they add.
struct HockneyMachine {
  HockneyLink link;              ///< between any two ranks; with groups, across them
  HockneyLink inside;            ///< within groups
  double reduce_gb_per_sec = 0;  ///< 1 / gamma: bytes added a second; 0: adding is free
};

/// A collective's time by its parts, µs.
struct HockneyTime {
  double latency_us = 0;   ///< alpha, round by round
  double transfer_us = 0;  ///< beta, byte by byte
  double reduce_us = 0;    ///< gamma, added byte by added byte

  /// The parts together.
  double total_us() const { return latency_us + transfer_us + reduce_us; }
};

/// What the path of `counts` takes for a message of that size.
HockneyTime hockney(const Counts& counts, double message_size_bytes, const HockneyMachine& machine);

}  // namespace commcost
