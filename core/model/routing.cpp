#include "core/model/routing.h"

#include <cmath>
#include <cstdint>

namespace commcost {

double experts_met(double experts, double tokens, double visits, double of_all) {
  const double missed_by_one = 1 - visits / of_all;
  const double whole = std::floor(tokens);
  // Part of a token, as where ranks share a sequence, counts as that part.
  double missed = 1 - (tokens - whole) * visits / of_all;
  // By squaring: std::pow differs from one C library to the next.
  double power = missed_by_one;
  for (auto left = static_cast<std::uint64_t>(whole); left > 0; left /= 2) {
    if (left % 2 == 1) missed *= power;
    power *= power;
  }
  return experts * (1 - missed);
}

}  // namespace commcost
