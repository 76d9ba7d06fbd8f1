#include "core/compute/kernel_time.h"

#include <cmath>
#include <numeric>

namespace commcost {
namespace {

// What a FLOP and a byte take, us: divided once for many kernels.
struct Costs {
  explicit Costs(const ComputeRates& rates)
      : flop(1 / rates.flops_per_us),
        wide_flop(1 / rates.wide_flops_per_us),
        flash_flop(1 / rates.flash_flops_per_us),
        grouped_flop(1 / (rates.flops_per_us * rates.grouped_share)),
        byte(1 / rates.hbm_bytes_per_us),
        matrix_byte(rates.matrix_traffic_weight / rates.hbm_bytes_per_us) {}

  double flops_us(const Kernel& kernel) const {
    if (kernel.routine == Routine::grouped_product) return kernel.flops * grouped_flop;
    if (kernel.routine != Routine::product) return kernel.flops * flash_flop;
    return kernel.flops * (kernel.precision == MatmulPrecision::stored ? wide_flop : flop);
  }

  double flop;
  double wide_flop;
  double flash_flop;
  double grouped_flop;
  double byte;
  double matrix_byte;
};

// Reading and multiplying run beside each other, but not to the end: the root of the sum of squares.
double beside(double one_us, double other_us) {
  return std::sqrt(one_us * one_us + other_us * other_us);
}

double time_us(const Kernel& kernel, const Costs& costs) {
  switch (kernel.routine) {
    case Routine::product:
    case Routine::grouped_product:
      return costs.flops_us(kernel) + kernel.bytes * costs.matrix_byte;
    case Routine::fused_attention:
      return costs.flops_us(kernel);
    case Routine::cached_attention:
      return beside(kernel.bytes * costs.byte, costs.flops_us(kernel));
    default:
      return kernel.bytes * costs.byte;
  }
}

}  // namespace

ComputeRates line_rates(double peak_tflops, double hbm_gb_per_sec) {
  ComputeRates rates;
  rates.flops_per_us = rates.wide_flops_per_us = rates.flash_flops_per_us = peak_tflops * 1e6;
  rates.hbm_bytes_per_us = hbm_gb_per_sec * 1e3;
  rates.matrix_traffic_weight = 0;
  return rates;
}

double time_us(const Kernel& kernel, const ComputeRates& rates) {
  return time_us(kernel, Costs(rates));
}

double ComputeTime::forward_us() const {
  return std::accumulate(forward_of.begin(), forward_of.end(), 0.0);
}

double ComputeTime::backward_us() const {
  return std::accumulate(backward_of.begin(), backward_of.end(), 0.0);
}

ComputeTime compute_time(const Kernels& kernels, const ComputeRates& rates) {
  const Costs costs(rates);
  ComputeTime time;
  // Sums in registers: in the struct each addition waits for the one before to be stored.
  double weight_gradient_us = 0;
  double recompute_us = 0;
  double launches = 0;
  for (const Kernel& kernel : kernels) {
    const double us = time_us(kernel, costs);
    const bool forward = kernel.pass == KernelPass::forward;
    (forward ? time.forward_of : time.backward_of)[static_cast<std::size_t>(kernel.operation)] += us;
    if (kernel.pass == KernelPass::weight_gradient) weight_gradient_us += us;
    recompute_us += kernel.recomputed * us;
    // Paces are fitted with the launches of whole passes: what is selected adds none.
    launches += kernel.launches * (kernel.recomputed_by == RecomputedBy::full ? 2 : 1);
  }
  time.weight_gradient_us = weight_gradient_us;
  time.recompute_us = recompute_us;
  time.launches = launches;
  return time;
}

InferenceTime inference_time(const Kernels& kernels, const ComputeRates& rates, double held_bytes_per_us) {
  const Costs costs(rates);
  InferenceTime time;
  for (const Kernel& kernel : kernels) {
    time.launches += kernel.launches;
    if (kernel.held_bytes <= 0) {
      time.compute_us += time_us(kernel, costs);
      continue;
    }
    const double read_us = kernel.held_bytes / held_bytes_per_us;
    const double whole_us = beside(read_us, costs.flops_us(kernel));
    (kernel.routine == Routine::cached_attention ? time.cache_us : time.weights_us) += read_us;
    time.compute_us += whole_us - read_us + (kernel.bytes - kernel.held_bytes) * costs.byte;
  }
  return time;
}

}  // namespace commcost
