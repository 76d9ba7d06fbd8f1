#pragma once

#include <vector>

#include "core/network/measurements_table.h"

namespace commcost {

/// The points of a measured curve: sizes to one part in ten thousand, times to 0.3 %.
struct MeasuredPoints {
  std::vector<double> message_size_bytes;
  std::vector<double> time_us;
};

/// Unpacks a curve.
MeasuredPoints points_of(const PackedSeries& series);

}  // namespace commcost
