#pragma once

#include <cstdint>

namespace commcost {

__extension__ using Wide = unsigned __int128;

/// numerator / denominator * 2^exponent as the nearest double, ties to even.
/// Both below 2^126, the denominator not 0, the result a normal double or 0.
double divide_correctly_rounded(Wide numerator, Wide denominator, int exponent = 0);

/// A finite double taken apart: value = mantissa * 2^exponent, exactly.
struct Parts {
  std::uint64_t mantissa;  ///< below 2^53
  int exponent;
};

/// The parts of a finite value >= 0.
Parts parts_of(double value);

}  // namespace commcost
