#include "core/compute/chip.h"

#include <algorithm>

namespace commcost {

double peak_tflops(const Accelerator& accelerator, KernelFormat format) {
  switch (format) {
    case KernelFormat::fp8:
    case KernelFormat::fp8_block:
    case KernelFormat::fp8_weights_4:
      return accelerator.fp8_tflops;
    case KernelFormat::nvfp4:
      return accelerator.fp4_tflops;
    case KernelFormat::int8:
      return accelerator.int8_tflops;
    default:
      return accelerator.peak_16_bits_tflops();
  }
}

Chip chip_of(const Accelerator& accelerator, KernelFormat format) {
  constexpr double per_us = 1e6;
  constexpr double bytes_per_mb = 1e6;
  constexpr double bytes_per_us = 1e3;
  Chip chip;
  chip.wide_flops_per_us = accelerator.peak_16_bits_tflops() * per_us;
  chip.flops_per_us = peak_tflops(accelerator, format) * per_us;
  // A cache may have fewer bits than the accelerator multiplies.
  if (chip.flops_per_us <= 0) chip.flops_per_us = chip.wide_flops_per_us;
  chip.limit_flops_per_us = chip.flops_per_us;
  // Some stacks multiply in 8 bits where the cache has them.
  if (format == KernelFormat::bf16_cache_8)
    chip.limit_flops_per_us = std::max(chip.flops_per_us, accelerator.fp8_tflops * per_us);
  chip.hbm_bytes_per_us = accelerator.hbm_gb_per_sec * bytes_per_us;
  chip.multiprocessors = std::max(1, accelerator.multiprocessors);
  chip.cache_bytes = accelerator.l2_mb * bytes_per_mb;
  chip.power_watts = accelerator.power_watts;
  chip.exponential_rate = accelerator.exponential_rate;
  return chip;
}

}  // namespace commcost
