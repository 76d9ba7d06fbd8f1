#pragma once

#include <span>
#include <string_view>

namespace commcost {

/// A constant of the step model: what it is, and where its value comes from.
struct StepConstant {
  std::string_view name;    ///< snake_case, with its unit
  double value;             ///< in that unit
  std::string_view source;  ///< a publication, a count, or the fit: which rows, by which command
};

/// Every constant of the step model, for the page and the report.
std::span<const StepConstant> step_constants();

namespace constants {

/// Share of the HBM bandwidth that streaming kernels reach.
inline constexpr double hbm_share = 0.92;
/// Extra time of a GEMM, in times of streaming its three matrices once through HBM.
inline constexpr double matrix_traffic_weight = 1;
/// Share of a Blackwell GPU's measured matrix rate that lasts: it was measured for a moment, at full clock.
inline constexpr double blackwell_sustained_share = 0.84;
/// Launches of a collective from Python, in kernels.
inline constexpr double launches_per_collective = 1.5;
/// Bytes through HBM for each parameter that an optimizer updates.
inline constexpr double optimizer_traffic_bytes = 44;
/// Fixed time of an optimizer step, us.
inline constexpr double optimizer_fixed_us = 3000;
/// Factor on compute time while communication runs beside it.
inline constexpr double overlap_slow_down = 1.1256;
/// Share of the last backward pass during which gradient buckets can be on their way.
inline constexpr double data_overlap_window = 0.8;
/// Share of that traffic that can be hidden at all.
inline constexpr double data_overlap_share = 0.67;
/// Share of ZeRO-3's gathers and scatters that prefetching can hide: the first has nothing to run beside.
inline constexpr double gather_overlap_share = 0.9;
/// Memory of an accelerator that driver, libraries and fragments keep, GiB.
inline constexpr double memory_reserved_gib = 2;

}  // namespace constants

}  // namespace commcost
