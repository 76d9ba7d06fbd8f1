#pragma once

namespace commcost::constants {

// Of kernels on hardware. "Fit" is to measured steps without tensor parallelism by `validation steps --fit`
// (tests/data/measured_steps_*.csv, published_steps.csv).

/// Share of the HBM bandwidth that streaming kernels reach. Fit, held to at most 0.92.
inline constexpr double hbm_share = 0.92;
/// Extra time of a GEMM, in times of streaming its three matrices once through HBM: each once, not hidden. A
/// fit gains nothing over it.
inline constexpr double matrix_traffic_weight = 1;
/// Share of a Blackwell GPU's measured matrix rate that lasts: it was measured for a moment, at full clock.
/// Fit.
inline constexpr double blackwell_sustained_share = 0.84;

}  // namespace commcost::constants
