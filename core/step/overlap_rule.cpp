#include "core/step/overlap_rule.h"

#include <algorithm>
#include <cmath>

#include "core/step/constants.h"

namespace commcost {

Hiding hide(double communication_us, double window_us, const OverlapShares& shares, double scale) {
  const double possible = std::min(communication_us * shares.messages, window_us * shares.window) * scale;
  const double hidden = std::max(0.0, std::min({possible, communication_us, window_us}));
  return {hidden, hidden * (constants::overlap_slow_down - 1)};
}

double joint_us(double device_us, double host_us) {
  if (host_us <= 0) return device_us;
  const double device = device_us * device_us;
  const double host = host_us * host_us;
  // Square roots alone keep native and wasm equal to the last bit.
  return std::sqrt(std::sqrt(device * device + host * host));
}

}  // namespace commcost
