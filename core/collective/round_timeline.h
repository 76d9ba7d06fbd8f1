#pragma once

#include <span>
#include <vector>

#include "core/collective/hockney.h"
#include "core/collective/schedule.h"

namespace commcost {

/// A message on the clock.
struct Delivery {
  int from = 0;         ///< rank, or the number of ranks for the switch
  int to = 0;           ///< rank, or the number of ranks for the switch
  double begun_us = 0;  ///< when it sets out
  double ended_us = 0;  ///< when its last byte has arrived
};

/// A schedule on the clock.
struct CollectiveTimeline {
  /// When each rank is done with each round, µs: a row before the first and one after each, a column a rank.
  std::vector<std::vector<double>> ready_us;
  std::vector<std::vector<Delivery>> messages;  ///< of each round
};

/// Runs a schedule by Hockney's model without a common clock: rank r arrives `delays_us[r]` late (0 where the
/// list ends), begins a round when it is done with the one before, and is done with it when what it sends has
/// arrived and what it gets is added. Several messages of a rank share a latency and queue for its port; a
/// switch has a port for each rank. Chunks are all of one size; a barrier's have none.
CollectiveTimeline timeline_of(const Schedule& schedule, double message_size_bytes,
                               const HockneyMachine& machine, std::span<const double> delays_us);

}  // namespace commcost
