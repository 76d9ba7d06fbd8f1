#pragma once

namespace commcost::constants {

// Constants of the step model. "Fit" is to measured steps without tensor parallelism by `validation steps
// --fit` (tests/data/measured_steps_*.csv, published_steps.csv); "counted" is operations as PyTorch runs
// them, each operand once.

/// Share of the HBM bandwidth that streaming kernels reach. Fit, held to at most 0.92.
inline constexpr double hbm_share = 0.92;
/// Extra time of a GEMM, in times of streaming its three matrices once through HBM: each once, not hidden. A
/// fit gains nothing over it.
inline constexpr double matrix_traffic_weight = 1;
/// Share of a Blackwell GPU's measured matrix rate that lasts: it was measured for a moment, at full clock.
/// Fit.
inline constexpr double blackwell_sustained_share = 0.84;
/// Launches of a collective from Python, in kernels. Counted.
inline constexpr double launches_per_collective = 1.5;
/// Bytes through HBM for each parameter that an optimizer updates. Counted.
inline constexpr double optimizer_traffic_bytes = 44;
/// Fixed time of an optimizer step, us. An estimate: a few dozen launches and one norm.
inline constexpr double optimizer_fixed_us = 3000;
/// Factor on compute time while communication runs alongside: Hetu-Galvatron's profiled coefficient
/// (github.com/PKU-DAIR/Hetu-Galvatron @cea12ff).
inline constexpr double overlap_slow_down = 1.1256;
/// Share of the last backward pass during which gradient buckets can be on their way. An estimate: the first
/// waits for a fifth of the pass.
inline constexpr double data_overlap_window = 0.8;
/// Share of that traffic that can be hidden at all. Fit.
inline constexpr double data_overlap_share = 0.67;
/// Share of ZeRO-3's gathers and scatters that prefetching can hide. An estimate: the first has nothing to
/// hide behind.
inline constexpr double gather_overlap_share = 0.9;
/// Memory of an accelerator that driver, libraries and fragments keep, GiB. An estimate: CUDA context, NCCL
/// buffers, allocator.
inline constexpr double memory_reserved_gib = 2;

}  // namespace commcost::constants
