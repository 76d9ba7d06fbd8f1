#pragma once

#include <algorithm>
#include <cmath>

#include "core/compute/kernel_parts.h"

namespace commcost {

/// By how much a kernel is slower because of the power limit. It would draw what the chip idles at and
/// `watts_per_tflops` for each TFLOP/s; above the limit the clock falls with the 3/4th power of the excess,
/// at once under sustained load, and in a burst the more the longer one kernel runs.
inline double throttling(const Chip& chip, double flops, double time_us, double watts_per_tflops,
                         const KernelRun& run) {
  constexpr double idle_share = 0.2;
  constexpr double tflops = 1e-6;
  constexpr double half_way_us = 2000;
  if (chip.power_watts <= 0 || time_us <= 0) return 1;
  const double drawn =
      idle_share + run.power_share * watts_per_tflops * flops / time_us * tflops / chip.power_watts;
  if (drawn <= 1) return 1;
  const double root = std::sqrt(drawn);
  const double slower = root * std::sqrt(root);
  const double share = run.load == Load::sustained ? 1 : time_us / (time_us + half_way_us);
  return 1 + (slower - 1) * share;
}

/// What a kernel that multiplies for `busy_us` takes under that limit, never less than at the format's own.
inline double throttled(const Chip& chip, double flops, double busy_us, double watts_per_tflops,
                        const KernelRun& run) {
  return std::max(busy_us * throttling(chip, flops, busy_us, watts_per_tflops, run),
                  flops / chip.limit_flops_per_us);
}

}  // namespace commcost
