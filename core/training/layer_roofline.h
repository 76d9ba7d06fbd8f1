#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/compute/kernel_pricer.h"
#include "core/compute/memory_levels.h"
#include "core/parallel/job.h"

namespace commcost {

/// A kernel of a layer's forward pass, in the order in which a token meets them; memory_bound: norms,
/// activation functions and residual sums together.
enum class RooflineKernel : std::uint8_t {
  query_key_value,
  attention_core,
  attention_output,
  router,
  mlp_in,
  mlp_out,
  memory_bound,
};
inline constexpr std::string_view roofline_kernel_names[] = {
    "query_key_value", "attention_core", "attention_output", "router", "mlp_in", "mlp_out", "memory_bound"};

/// What a kernel computes and moves on one rank, and how long a step takes it to be.
struct KernelPoint {
  RooflineKernel kernel = RooflineKernel::query_key_value;
  double flops = 0;      ///< a multiply-add counts two
  double hbm_bytes = 0;  ///< every operand read once, every result written once
  double time_us = 0;
};

/// A layer's forward pass of one micro-batch under the roof of its machine (Williams, Waterman, Patterson,
/// doi:10.1145/1498765.1498785).
struct LayerRoofline {
  std::vector<KernelPoint> kernels;  ///< those that there are
  double peak_tflops = 0;            ///< of the layer's products
  double hbm_gb_per_sec = 0;
  double forward_us = 0;                                     ///< all of them
  RooflineKernel longest = RooflineKernel::query_key_value;  ///< whose product takes longest
  ProductTraffic traffic;                                    ///< of that product, on every level of memory
};

/// The forward kernels of a layer, those alike in one.
std::vector<KernelPoint> roofline_points(const Kernels& kernels, const KernelPricer& rates);

/// Of a completed job: the layer with experts where the model has such.
LayerRoofline layer_roofline(const Job& job);

}  // namespace commcost
