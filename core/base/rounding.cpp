#include "core/base/rounding.h"

#include "core/base/exact.h"

namespace commcost {
namespace {

// Below 2^39: the exponent is at most -14.
double round_exactly(double value) {
  const auto [mantissa, exponent] = parts_of(value);
  const Wide scaled = static_cast<Wide>(mantissa) * 10000;
  const int shift = -exponent;
  if (shift > 100) return 0.0;  // below 2^-33, far less than half of the last decimal
  Wide whole = scaled >> shift;
  const Wide rest = scaled - (whole << shift);
  const Wide half = static_cast<Wide>(1) << (shift - 1);
  if (rest > half || (rest == half && (whole & 1) != 0)) ++whole;
  return divide_correctly_rounded(whole, 10000);
}

}  // namespace

double round_to_four_decimals(double value) {
  if (value < 0) return -round_to_four_decimals(-value);
  // From here on doubles are further apart than decimals: the nearest to the rounded value is the value.
  if (value >= 0x1p39) return value;
  const double rounded = round_if_certain(value, 0);
  return rounded >= 0 ? rounded : round_exactly(value);
}

}  // namespace commcost
