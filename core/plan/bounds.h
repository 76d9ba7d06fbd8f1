#pragma once

#include "core/parallel/memory.h"
#include "core/training/step_time.h"

namespace commcost {

/// No layout with these layer costs and this many stages takes less time: the micro-batches in turn on the
/// first stage as its schedule deals layers out, in one chunk evenly (`fewest`), or on the mean stage;
/// without bubble, transfers between stages, exchange between replicas, optimizer, stragglers. Neither more
/// chunks a stage nor dealing by work gives that stage fewer layers.
double least_time_us(const LayerTimes& layers, const EndTimes& ends, const Stage& whole, double stages,
                     const Stage& fewest, double micro_batches);

/// No such layout takes less memory on its first stage: 1F1B holds the fewest micro-batches of all schedules
/// that deal layers out in a line.
double least_memory(const LayerMemory& layer, const StageState& first, const Stage& fewest, double stages,
                    double micro_batches);

}  // namespace commcost
