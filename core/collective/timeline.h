#pragma once

#include <span>
#include <vector>

#include "core/collective/hockney.h"
#include "core/collective/schedule.h"

namespace commcost {

/// When each rank is done with each step, µs: a row before the first step and one after each, a column a
/// rank.
using Timeline = std::vector<std::vector<double>>;

/// Runs a schedule by Hockney's model without a common clock: rank r arrives `delays_us[r]` late (0 where the
/// list ends), begins a step when it is done with the one before, and is done with it when what it sends has
/// arrived and what it gets is added. Several messages of a rank share a latency and queue for its port; a
/// switch has a port for each rank. Chunks are all of one size; a barrier's have none.
Timeline timeline_of(const Schedule& schedule, double message_size_bytes, const HockneyMachine& machine,
                     std::span<const double> delays_us);

}  // namespace commcost
