#pragma once

#include <algorithm>
#include <cmath>

#include "core/training/constants.h"

namespace commcost {

/// The usable share of a window of compute, and of the messages sent during it, 0 to 1 each.
struct OverlapShares {
  double window = 1;
  double messages = 1;
};

/// Communication during compute: what is hidden, and what hiding it costs.
struct Hiding {
  double hidden_us = 0;     ///< communication that takes no time of its own
  double slow_down_us = 0;  ///< compute lost meanwhile: both use the same memory and processors
  /// What the step still pays for.
  double exposed_us(double communication_us) const { return communication_us - hidden_us + slow_down_us; }
};

/// The one rule of overlap: of messages sent during a window of compute, both in us, as much is hidden as
/// both allow, times `scale`, and never more than either. Meanwhile compute is slower by the factor that
/// Hetu-Galvatron profiled: 1.1256.
inline Hiding hide(double communication_us, double window_us, const OverlapShares& shares, double scale) {
  const double possible = std::min(communication_us * shares.messages, window_us * shares.window) * scale;
  const double hidden = std::max(0.0, std::min(possible, std::min(communication_us, window_us)));
  return {hidden, hidden * (constants::overlap_slow_down - 1)};
}

/// Time until both of two queues that feed each other are done, us: the longer, and more if they are similar.
/// The fourth-power mean, (a^4 + b^4)^(1/4): at most 19 % above the longer.
inline double joint_us(double device_us, double host_us) {
  if (host_us <= 0) return device_us;
  const double device = device_us * device_us;
  const double host = host_us * host_us;
  // Square roots alone keep native and wasm equal to the last bit.
  return std::sqrt(std::sqrt(device * device + host * host));
}

}  // namespace commcost
