#pragma once

#include <cmath>

namespace commcost {

/// A number above 0 to four digits, which say all that a fit knows; 0 of any other.
inline double round_to_four_digits(double value) {
  if (!(value > 0)) return 0;
  // Powers of ten above 1, which are exact.
  double unit = 1;
  while (value >= 1e4 * unit) unit *= 10;
  double parts = 1;
  while (value * parts < 1e3) parts *= 10;
  return std::round(value / unit * parts) / parts * unit;
}

}  // namespace commcost
