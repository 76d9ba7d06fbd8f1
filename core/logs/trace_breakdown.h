#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace commcost {

/// What a kernel does.
enum class KernelKind : std::uint8_t { compute, communication };

/// A kernel on the clock of its device.
struct KernelInterval {
  double start_us = 0;
  double duration_us = 0;  ///< >= 0
  double stream = 0;       ///< id of its stream
  KernelKind kind = KernelKind::compute;
  double group = 0;  ///< for communication: the group whose message it is, as the caller numbers them
};

/// Busy time of one stream.
struct StreamTime {
  double stream = 0;
  double kernels = 0;
  double compute_us = 0;        ///< with at least one compute kernel
  double communication_us = 0;  ///< with at least one communication kernel
};

/// Messages of one group.
struct MessageGroupTime {
  double group = 0;
  double kernels = 0;
  double communication_us = 0;  ///< the kernels' durations, added up
  double exposed_us = 0;        ///< of these, while no compute kernel runs
};

/// A pause shorter than this comes from launching: the host lags behind the device.
inline constexpr double longest_launch_pause_us = 1000;

/// Every moment between the first start and the last end belongs to one of four classes.
struct TraceBreakdown {
  double compute_only_us = 0;
  double overlapped_us = 0;
  double communication_only_us = 0;
  double idle_us = 0;
  double total_us = 0;
  double compute_only_share = 0;  ///< shares of total, 0 to 1; 0 for an empty trace
  double overlapped_share = 0;
  double communication_only_share = 0;
  double idle_share = 0;
  double kernels = 0;
  double launch_pauses_us = 0;           ///< of idle_us, in pauses shorter than longest_launch_pause_us
  double longest_pause_us = 0;           ///< while nothing runs
  std::vector<StreamTime> streams;       ///< by id
  std::vector<MessageGroupTime> groups;  ///< by number
};

/// Resolves overlap by sweeping over starts and ends: n log n for n kernels, n where they are already sorted.
/// Intervals that touch do not leave idle time between them. Sorts `kernels` by start.
TraceBreakdown trace_breakdown(std::span<KernelInterval> kernels);

}  // namespace commcost
