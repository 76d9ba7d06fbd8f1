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
inline constexpr double matrix_traffic_weight = 1.41;
/// Share of the matrix peak that flash attention reaches, of the FLOPs that it computes.
inline constexpr double flash_attention_share = 0.35;
/// FLOPs of flash attention's backward pass, in forward passes: five products for two.
inline constexpr double flash_attention_backward = 2.5;
/// Host time to launch a kernel from Python, us.
inline constexpr double launch_us = 39.6;
/// Device time of a blocking collective that benchmarks, which run them back to back, do not show, us.
inline constexpr double collective_start_us = 40;
/// Launches of a collective from Python, in kernels.
inline constexpr double launches_per_collective = 1.5;
/// Kernels of a layer's forward pass: a classic block, and one with gate, rotary positions, RMS norm.
inline constexpr double launches_classic_layer = 20;
inline constexpr double launches_gated_layer = 28;
/// Kernels of the backward pass, in forward passes.
inline constexpr double launches_backward = 2;
/// Kernels of embedding, logits and loss, forward and backward.
inline constexpr double launches_head = 45;
/// Bytes through HBM for each logit: loss in fp32, forward and backward.
inline constexpr double bytes_per_logit = 52;
/// Bytes held for each logit: 16 bits, fp32, shifted, exponential, gradient.
inline constexpr double bytes_kept_per_logit = 16;
/// Bytes through HBM for each parameter that an optimizer updates.
inline constexpr double optimizer_traffic_bytes = 44;
/// Fixed time of an optimizer step, us.
inline constexpr double optimizer_fixed_us = 3000;
/// Host and device wait for each other at a pipeline boundary, each way, us.
inline constexpr double pipeline_sync_us = 1030;
/// Factor on compute time while communication runs beside it.
inline constexpr double overlap_slow_down = 1.1256;
/// Share of the last backward pass during which gradient buckets can be on their way.
inline constexpr double data_overlap_window = 0.8;
/// Share of that traffic that can be hidden at all.
inline constexpr double data_overlap_share = 0.67;
/// Share of ZeRO-3's gathers and scatters that prefetching can hide: the first has nothing to run beside.
inline constexpr double gather_overlap_share = 0.9;
/// Waiting for the slowest of d replicas on different nodes: this share times sqrt(2 ln d).
inline constexpr double straggler_share = 0.03;
/// Memory of an accelerator that driver, libraries and fragments keep, GB.
inline constexpr double memory_reserved_gb = 2;
/// Half-width of the band round exposed communication, as a share.
inline constexpr double communication_band_share = 0.15;
/// Half-width of the band round a predicted step, as a share.
inline constexpr double band_share = 0.07;

}  // namespace constants

/// Share of an accelerator's matrix peak that large GEMMs reach in training.
struct MatmulShare {
  std::string_view accelerator_prefix;  ///< ids that begin so
  double share;                         ///< of the dense peak
  std::string_view source;              ///< the fit
};

/// The accelerators whose share was fitted on measured steps.
std::span<const MatmulShare> fitted_matmul_shares();

}  // namespace commcost
