#pragma once

#include <array>

#include "core/model/kernels.h"

namespace commcost {

/// How fast an accelerator multiplies and streams, in units of a microsecond.
struct ComputeRates {
  double flops_per_us = 1;           ///< large products in the precision of a layer's matrices
  double wide_flops_per_us = 1;      ///< of what is multiplied as it is kept: attention core, LM head
  double flash_flops_per_us = 1;     ///< flash attention
  double grouped_share = 1;          ///< of flops_per_us, what products of routed experts reach
  double hbm_bytes_per_us = 1;       ///< streaming kernels
  double matrix_traffic_weight = 1;  ///< times that a product streams its matrices on top of its FLOPs
  double launch_us = 0;              ///< host time for each launch
};

/// The rates of a data sheet, at which products hide what they stream.
ComputeRates line_rates(double peak_tflops, double hbm_gb_per_sec);

/// Time of a kernel, us. A product takes its FLOPs at the achievable rate, and on top a multiple of the time
/// to stream its three matrices, so that thin products are slow: 1/share + w (peak / HBM) (1/rows + 1/columns
/// + 1/inner) per FLOP; flash attention its FLOPs; all others their traffic.
double time_us(const Kernel& kernel, const ComputeRates& rates);

/// What the kernels of one micro-batch take, us: sums over their list.
struct ComputeTime {
  std::array<double, num_operations> forward_of{};   ///< forward pass, by Operation
  std::array<double, num_operations> backward_of{};  ///< gradients of inputs and weights, by Operation
  double weight_gradient_us = 0;                     ///< gradients of weights alone
  double recompute_us = 0;                           ///< run again in the backward pass
  double launches = 0;                               ///< of all passes

  double forward_us() const;
  double backward_us() const;
  double forward_us(Operation operation) const { return forward_of[static_cast<std::size_t>(operation)]; }
  double backward_us(Operation operation) const { return backward_of[static_cast<std::size_t>(operation)]; }
};
ComputeTime compute_time(const Kernels& kernels, const ComputeRates& rates);

/// The same of an inference step, whose products have few rows: reading what is held decides.
struct InferenceTime {
  double weights_us = 0;  ///< reading weights
  double cache_us = 0;    ///< reading keys and values
  double compute_us = 0;  ///< multiplying, beyond what reading hides, and all other kernels
  double launches = 0;
};
/// Weights and cache are read at `held_bytes_per_us`.
InferenceTime inference_time(const Kernels& kernels, const ComputeRates& rates, double held_bytes_per_us);

}  // namespace commcost
