#pragma once

namespace commcost::constants {

// Constants of the step model. "Fit" is to measured steps without tensor parallelism by `validation steps
// --fit` (tests/data/measured_steps_*.csv, published_steps.csv); "counted" is operations as PyTorch runs
// them, each operand once.

/// Launches of a collective from Python, in kernels. Counted.
inline constexpr double launches_per_collective = 1.5;
/// Fixed time of an optimizer step, us. An estimate: a few dozen launches and one norm.
inline constexpr double optimizer_fixed_us = 3000;
/// Factor on compute time while communication runs alongside: Hetu-Galvatron's profiled coefficient
/// (github.com/PKU-DAIR/Hetu-Galvatron @cea12ff).
inline constexpr double overlap_slow_down = 1.1256;
/// Share of the last backward pass during which gradient buckets can be in flight. An estimate: the first
/// bucket waits for a fifth of the pass.
inline constexpr double data_overlap_window = 0.8;
/// Share of that traffic that can be hidden at all. Fit.
inline constexpr double data_overlap_share = 0.67;
/// Share of ZeRO-3's gathers and scatters that prefetching can hide. An estimate: the first has nothing to
/// hide behind.
inline constexpr double gather_overlap_share = 0.9;

/// Parameters that the processors of a node update in a microsecond with Adam: 10 billion in 2.57 s on a
/// DGX-2, whose two processors DeepSpeed's CPU-Adam used (arXiv:2101.06840, table 4). An estimate for others.
inline constexpr double host_updated_parameters_per_us = 3900;
/// The greatest factor by which such an update has been seen to be slower: a step of 6.7 billion parameters
/// on 8 A800, with one optimizer on two Xeon 8358 and with the other on the GPUs, is 17 s (ZeRO-3) and 20 s
/// (ZeRO-2) longer (gist.github.com/chenyaofo/d4cd6a20ab4b95cb3a49491747e2139a).
inline constexpr double slowest_host_update = 10;

}  // namespace commcost::constants
