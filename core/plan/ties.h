#pragma once

#include <vector>

#include "core/plan/planned_layout.h"

namespace commcost {

/// Share by which one configuration measured twice differs in the median: releases of one stack in
/// tests/data/measured_steps_2.csv by 3.2 % over 305 pairs, sites by 1 to 7 %.
inline constexpr double noise_floor_share = 0.035;

/// Whether two step times lie within the noise of each other: no order of them would survive a second
/// measurement.
bool are_a_tie(double one_ms, double other_ms);

/// Of the layouts on `front`, which is in order of time, the one with the least memory that ties with a step
/// of `best_ms`; null where none does.
const PlannedLayout* roomiest_tie(const std::vector<PlannedLayout>& front, double best_ms);

}  // namespace commcost
