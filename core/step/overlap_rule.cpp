#include "core/step/overlap_rule.h"

#include <cmath>

namespace commcost {

double joint_us(double device_us, double host_us) {
  if (host_us <= 0) return device_us;
  const double device = device_us * device_us;
  const double host = host_us * host_us;
  // Square roots alone keep native and wasm equal to the last bit.
  return std::sqrt(std::sqrt(device * device + host * host));
}

}  // namespace commcost
