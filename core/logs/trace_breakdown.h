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
};

/// Busy time of one stream.
struct StreamTime {
  double stream = 0;
  double kernels = 0;
  double compute_us = 0;        ///< with at least one compute kernel
  double communication_us = 0;  ///< with at least one communication kernel
};

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
  std::vector<StreamTime> streams;  ///< by id
};

/// Resolves overlap by sweeping over starts and ends: n log n for n kernels, n where they are already sorted.
/// Intervals that touch do not leave idle time between them. Sorts `kernels` by start.
TraceBreakdown trace_breakdown(std::span<KernelInterval> kernels);

}  // namespace commcost
