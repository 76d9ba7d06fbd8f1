#include "core/exercise/digits.h"

#include <cmath>
#include <initializer_list>

namespace commcost {
namespace {

constexpr int most_digits = 12;

}  // namespace

bool is_shortened(double answer, double candidate, int least_digits) {
  if (!(answer > 0) || !(candidate > 0) || std::isinf(candidate)) return false;
  double least_with_digits = 1;
  for (int digits = 1; digits < least_digits; ++digits) least_with_digits *= 10;
  double scaled = candidate;
  double unit = 1;
  for (; scaled >= least_with_digits * 10; unit *= 10) scaled /= 10;
  for (; scaled < least_with_digits; unit /= 10) scaled *= 10;
  for (int digits = least_digits; digits <= most_digits; ++digits, scaled *= 10, unit /= 10) {
    for (const double whole : {std::floor(scaled), std::round(scaled)}) {
      if (std::fabs(answer - whole * unit) <= 1e-12 * candidate) return true;
    }
  }
  return false;
}

}  // namespace commcost
