#pragma once

#include <algorithm>
#include <cmath>

namespace commcost {

/// The parts of a message's time.
struct CurveParts {
  double latency_us = 0;   ///< the steps, as of an empty message
  double ramp_us = 0;      ///< lost while channels and pipeline fill, and to a network's change of protocol
  double transfer_us = 0;  ///< the message at the plateau's rate
};

/// What a calibration changes: a log of the user's own machine compared with this model.
struct Calibration {
  double latency_scale = 1;    ///< on latency, launch and ramp, > 0
  double bandwidth_scale = 1;  ///< on the plateau, > 0; what links carry stays the limit
  double link_scale = 1;       ///< the same, of groups within a scale-up domain alone
  double network_scale = 1;    ///< of those that span several
};

/// x^(5/8), x >= 0, by square roots alone, which are equal natively and in wasm. Between the 1/2 and the 3/4
/// that single machines fit best; on held-out data, it is the best over one node, several nodes and racks
/// together.
inline double ramp_power(double x) {
  const double root = std::sqrt(x);
  return root * std::sqrt(std::sqrt(root));
}

/// What a message loses before it moves at the plateau's rate: nothing if empty, saturating as it grows.
struct Ramp {
  double fill_us = 0;        ///< lost at most while channels and pipeline fill
  double fill_half = 0;      ///< transfer time (us) at which half of that is lost, to the power 5/8
  double eager_us = 0;       ///< lost at most once messages outgrow the network's eager protocol
  double rendezvous_us = 0;  ///< lost at most to agreeing on buffers before large messages

  static constexpr double eager_bytes = 4096;         ///< message at which half of eager_us is lost
  static constexpr double rendezvous_bytes = 262144;  ///< message at which half of rendezvous_us is lost

  /// The loss of a message of that many bytes, which takes that long at the plateau's rate, us.
  double us(double message_size_bytes, double transfer_us) const {
    const double filled = ramp_power(transfer_us);
    double lost = filled > 0 ? fill_us * filled / (filled + fill_half) : 0;
    if (eager_us > 0) lost += eager_us * message_size_bytes / (message_size_bytes + eager_bytes);
    if (rendezvous_us > 0)
      lost += rendezvous_us * message_size_bytes / (message_size_bytes + rendezvous_bytes);
    return lost;
  }
};

/// How long one collective takes on one group, as a function of the message's size. Three physical terms add
/// up: the latency of the steps; the time to transfer at the plateau rate; and a ramp, because channels,
/// threads and pipeline fill only as messages grow. A thread that launches all kernels runs ahead of the
/// GPUs, so its launch time is a floor under the sum rather than a further term. Continuous, strictly
/// increasing in size, and made of + - * / sqrt alone, hence equal natively and in wasm.
struct Curve {
  double latency_us = 0;          ///< of an empty message, > 0 unless the group is one GPU
  double launch_us = 0;           ///< floor set by a process that launches for several GPUs; 0: none
  Ramp ramp;                      ///< lost before the plateau
  double bytes_per_us = 1;        ///< plateau: message bytes a microsecond
  double bound_bytes_per_us = 1;  ///< what links and NICs carry at most: message bytes a microsecond

  /// The parts of a message's time, except for the launch floor.
  CurveParts parts(double message_size_bytes) const {
    const double transfer = message_size_bytes / bytes_per_us;
    return {latency_us, ramp.us(message_size_bytes, transfer), transfer};
  }

  /// The time of a message of that many bytes (>= 0), us.
  double time_us(double message_size_bytes) const {
    const CurveParts part = parts(message_size_bytes);
    const double busy = part.latency_us + part.ramp_us + part.transfer_us;
    if (launch_us <= 0) return busy;
    const double launch_squared = launch_us * launch_us;
    const double busy_squared = busy * busy;
    return std::sqrt(std::sqrt(launch_squared * launch_squared + busy_squared * busy_squared));
  }

  /// The time below which physics does not let the message through, us.
  double lower_bound_us(double message_size_bytes) const { return message_size_bytes / bound_bytes_per_us; }

  /// The curve of the machine that a calibration describes; its plateau stays below what links carry.
  Curve calibrated(const Calibration& calibration) const {
    Curve curve = *this;
    curve.latency_us *= calibration.latency_scale;
    curve.launch_us *= calibration.latency_scale;
    curve.ramp.fill_us *= calibration.latency_scale;
    curve.ramp.eager_us *= calibration.latency_scale;
    curve.ramp.rendezvous_us *= calibration.latency_scale;
    curve.bytes_per_us = std::min(curve.bytes_per_us * calibration.bandwidth_scale, curve.bound_bytes_per_us);
    return curve;
  }
};

}  // namespace commcost
