#pragma once

#include <vector>

#include "core/plan/planned_layout.h"

namespace commcost {

/// Share by which two measurements of one configuration differ in the median: releases of one stack in
/// tests/data/measured_steps_2.csv by 3.2 % over 305 pairs, sites by 1 to 7 %.
inline constexpr double noise_floor_share = 0.035;

/// Whether two step times are within each other's noise: their order would not survive a second measurement.
bool are_a_tie(double one_ms, double other_ms);

/// The layout on `front`, ordered by time, with the least memory that ties with a step of `best_ms`; null if
/// none does.
const PlannedLayout* roomiest_tie(const std::vector<PlannedLayout>& front, double best_ms);

}  // namespace commcost
