#include "core/step/hiding.h"

#include <algorithm>
#include <cmath>

#include "core/step/constants.h"

namespace commcost {

Hiding hide(double communication_us, double compute_us, double share) {
  const double hidden = std::min(communication_us, compute_us) * share;
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
