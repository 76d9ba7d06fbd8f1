#include "core/base/natural_log.h"

#include <cmath>

namespace commcost {

double natural_log(double value) {
  constexpr double ln_2 = 0.6931471805599453;
  constexpr double sqrt_half = 0.7071067811865476;
  int exponent = 0;
  double mantissa = std::frexp(value, &exponent);
  if (mantissa < sqrt_half) {
    mantissa *= 2;
    --exponent;
  }
  // ln m = 2 artanh((m - 1) / (m + 1)), whose argument is at most 0.1716: twelve odd powers reach the last
  // bit.
  const double ratio = (mantissa - 1) / (mantissa + 1);
  const double square = ratio * ratio;
  double series = 0;
  constexpr int last_power = 23;
  for (int power = last_power; power >= 1; power -= 2) series = series * square + 1.0 / power;
  return 2 * ratio * series + exponent * ln_2;
}

}  // namespace commcost
