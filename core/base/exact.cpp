#include "core/base/exact.h"

#include <bit>
#include <cmath>

namespace commcost {
namespace {

int bit_length(Wide value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  return high != 0 ? 64 + static_cast<int>(std::bit_width(high))
                   : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(value)));
}

}  // namespace

double divide_correctly_rounded(Wide numerator, Wide denominator, int exponent) {
  if (numerator == 0) return 0.0;
  int shift = bit_length(numerator) - bit_length(denominator);
  if (shift > 0) {
    denominator <<= shift;
  } else {
    numerator <<= -shift;
  }
  if (numerator < denominator) {
    numerator <<= 1;
    --shift;
  }
  // The quotient is now in [1, 2) * 2^shift: 53 bits of it, one to round by, and the rest as "more follows".
  constexpr int quotient_bits = 54;
  std::uint64_t quotient = 0;
  for (int bit = 0; bit < quotient_bits; ++bit) {
    quotient <<= 1;
    if (numerator >= denominator) {
      numerator -= denominator;
      quotient |= 1;
    }
    numerator <<= 1;
  }
  const bool above_half = numerator != 0;
  const bool half = (quotient & 1) != 0;
  quotient >>= 1;
  if (half && (above_half || (quotient & 1) != 0)) ++quotient;
  return std::ldexp(static_cast<double>(quotient), shift - (quotient_bits - 2) + exponent);
}

Parts parts_of(double value) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return {static_cast<std::uint64_t>(std::ldexp(fraction, 53)), exponent - 53};
}

}  // namespace commcost
