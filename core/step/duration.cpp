#include "core/step/duration.h"

namespace commcost {

double training_days(double tokens, double tokens_per_sec) {
  constexpr double seconds_a_day = 86400;
  return tokens_per_sec > 0 ? tokens / tokens_per_sec / seconds_a_day : 0;
}

}  // namespace commcost
