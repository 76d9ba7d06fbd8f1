#include "core/base/natural_log.h"

#include <cmath>
#include <limits>

namespace commcost {
namespace {

constexpr double ln_2 = 0.6931471805599453;

}  // namespace

double natural_log(double value) {
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

double natural_exp(double value) {
  // Beyond these it is 0, or greater than any double.
  constexpr double least = -746;
  constexpr double greatest = 710;
  if (std::isnan(value)) return value;
  if (value < least) return 0;
  if (value > greatest) return std::numeric_limits<double>::infinity();
  // The rest is at most half of ln 2, of which eighteen terms of the series reach the last bit.
  const double twos = std::floor(value / ln_2 + 0.5);
  const double rest = value - twos * ln_2;
  double series = 1;
  constexpr int terms = 18;
  for (int term = terms; term >= 1; --term) series = 1 + series * rest / term;
  return std::ldexp(series, static_cast<int>(twos));
}

}  // namespace commcost
