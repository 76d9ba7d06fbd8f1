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

/// alpha * steps + beta * bytes moved + gamma * bytes added along the path, µs.
double hockney_us(const Counts& counts, double message_size_bytes, const HockneyMachine& machine);

}  // namespace commcost
