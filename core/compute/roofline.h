#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/compute/kernel_pricer.h"

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

/// What a kernel computes and moves on one rank, and its time in a step.
struct KernelPoint {
  RooflineKernel kernel = RooflineKernel::query_key_value;
  double flops = 0;      ///< a multiply-add counts two
  double hbm_bytes = 0;  ///< every operand read once, every result written once
  double time_us = 0;
  double low_us = 0;              ///< its band: 80 % of kernels of its kind, measured by themselves,
  double high_us = 0;             ///< lie between
  Basis basis = Basis::measured;  ///< the weakest of the kernels merged here
  KernelLimit limit = KernelLimit::compute;  ///< of the longest of them
};

/// Kernels of a layer under the roof of their machine (Williams, Waterman, Patterson,
/// doi:10.1145/1498765.1498785).
struct Roofline {
  std::vector<KernelPoint> kernels;  ///< those that there are
  KernelFormat product_format = KernelFormat::bf16;
  double peak_tflops = 0;  ///< of the layer's products
  double hbm_gb_per_sec = 0;
  double forward_us = 0;  ///< all of them
};

/// Which of a roofline's kernels an operation belongs to.
RooflineKernel roofline_kernel(Operation operation);

/// The forward kernels of a layer, those alike in one.
std::vector<KernelPoint> roofline_points(const Kernels& kernels, const KernelPricer& rates);

/// The same under the roof of a completed machine.
Roofline roofline_of(const Kernels& kernels, const KernelPricer& rates, const Machine& machine,
                     const Work& work);

}  // namespace commcost
