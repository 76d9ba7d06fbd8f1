#pragma once

#include <vector>

namespace commcost {

/// The middle value, or the mean of the two in the middle; 0 for none.
double median(std::vector<double> values);

/// Below it lies that share of the values, 0 to 1; between the two nearest. NaN for none.
double quantile(std::vector<double> values, double share);

}  // namespace commcost
