#include "core/compute/kernel_time.h"

#include <cmath>
#include <numeric>

namespace commcost {
namespace {

double flops_per_us(const Kernel& kernel, const ComputeRates& rates) {
  if (kernel.routine == Routine::grouped_product) return rates.flops_per_us * rates.grouped_share;
  if (kernel.routine != Routine::product) return rates.flash_flops_per_us;
  return kernel.precision == MatmulPrecision::stored ? rates.wide_flops_per_us : rates.flops_per_us;
}

// Reading and multiplying run beside each other, but not to the end: the root of the sum of squares.
double beside(double one_us, double other_us) {
  return std::sqrt(one_us * one_us + other_us * other_us);
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
  switch (kernel.routine) {
    case Routine::product:
    case Routine::grouped_product:
      return kernel.flops / flops_per_us(kernel, rates) +
             rates.matrix_traffic_weight * kernel.bytes / rates.hbm_bytes_per_us;
    case Routine::fused_attention:
      return kernel.flops / rates.flash_flops_per_us;
    case Routine::cached_attention:
      return beside(kernel.bytes / rates.hbm_bytes_per_us, kernel.flops / rates.flash_flops_per_us);
    default:
      return kernel.bytes / rates.hbm_bytes_per_us;
  }
}

double ComputeTime::forward_us() const {
  return std::accumulate(forward_of.begin(), forward_of.end(), 0.0);
}

double ComputeTime::backward_us() const {
  return std::accumulate(backward_of.begin(), backward_of.end(), 0.0);
}

ComputeTime compute_time(const Kernels& kernels, const ComputeRates& rates) {
  ComputeTime time;
  for (const Kernel& kernel : kernels) {
    const double us = time_us(kernel, rates);
    const bool forward = kernel.pass == KernelPass::forward;
    (forward ? time.forward_of : time.backward_of)[static_cast<std::size_t>(kernel.operation)] += us;
    if (kernel.pass == KernelPass::weight_gradient) time.weight_gradient_us += us;
    time.recompute_us += kernel.recomputed * us;
    // Paces are fitted with the launches of whole passes: what is selected adds none.
    time.launches += kernel.launches * (kernel.recomputed_by == RecomputedBy::full ? 2 : 1);
  }
  return time;
}

InferenceTime inference_time(const Kernels& kernels, const ComputeRates& rates, double held_bytes_per_us) {
  InferenceTime time;
  for (const Kernel& kernel : kernels) {
    time.launches += kernel.launches;
    if (kernel.held_bytes <= 0) {
      time.compute_us += time_us(kernel, rates);
      continue;
    }
    const double read_us = kernel.held_bytes / held_bytes_per_us;
    const double whole_us = beside(read_us, kernel.flops / flops_per_us(kernel, rates));
    (kernel.routine == Routine::cached_attention ? time.cache_us : time.weights_us) += read_us;
    time.compute_us += whole_us - read_us + (kernel.bytes - kernel.held_bytes) / rates.hbm_bytes_per_us;
  }
  return time;
}

}  // namespace commcost
