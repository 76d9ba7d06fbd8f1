#pragma once

#include <cmath>

namespace commcost {

/// What the time of a message is made of.
struct CurveParts {
  double latency_us = 0;   ///< the steps, as of an empty message
  double ramp_us = 0;      ///< lost while channels and pipeline fill
  double transfer_us = 0;  ///< the message at the plateau's rate
};

/// How long one collective takes on one group, as a function of the message's size. Three physical terms add
/// up: the latency of the steps; the time to transfer at the plateau rate; and a ramp, because channels,
/// threads and pipeline fill only as messages grow, which saturates at `ramp_us`. One process that launches
/// all kernels runs ahead of the GPUs, so that its launch time is a floor under the sum rather than an
/// addend. Continuous, strictly increasing in size, and made of + - * / sqrt alone, hence equal natively and
/// in wasm.
struct Curve {
  double latency_us = 0;          ///< of an empty message, > 0 unless the group is one GPU
  double launch_us = 0;           ///< floor set by a single launching process; 0: none
  double ramp_us = 0;             ///< greatest time lost while channels and pipeline fill
  double ramp_root = 0;           ///< root of the transfer time (us) at which half of that is lost
  double bytes_per_us = 1;        ///< plateau: message bytes a microsecond
  double bound_bytes_per_us = 1;  ///< what links and NICs carry at most: message bytes a microsecond

  /// The parts of a message's time, but for the launch floor.
  CurveParts parts(double message_size_bytes) const {
    const double transfer = message_size_bytes / bytes_per_us;
    const double root = std::sqrt(transfer);
    return {latency_us, root > 0 ? ramp_us * root / (root + ramp_root) : 0, transfer};
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
};

}  // namespace commcost
