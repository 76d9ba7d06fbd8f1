#pragma once

#include <vector>

namespace commcost {

/// The middle value, or the mean of the two in the middle; 0 for none.
double median(std::vector<double> values);

/// The value below which that share (0 to 1) of the values lies, interpolated between the two nearest. NaN
/// for none.
double quantile(std::vector<double> values, double share);

}  // namespace commcost
