#pragma once

#include "core/compute/kernel_call.h"
#include "core/hardware/accelerators.h"

namespace commcost {

/// An accelerator as a kernel of one format meets it.
struct Chip {
  double flops_per_us = 1;        ///< matrix peak at which the format is multiplied
  double wide_flops_per_us = 1;   ///< matrix peak in 16 bits
  double limit_flops_per_us = 1;  ///< no kernel of the format is faster
  double hbm_bytes_per_us = 1;
  double multiprocessors = 1;  ///< 1 where their number is not known: no kernel waits for its last tiles then
  double cache_bytes = 0;      ///< L2
  double power_watts = 0;      ///< limit; 0: not known, and never met
  double exponential_rate = 1;
};

/// Matrix peak of a format, TFLOP/s; 0 where the accelerator does not multiply it.
double peak_tflops(const Accelerator& accelerator, KernelFormat format);

/// The accelerator at a format that it multiplies.
Chip chip_of(const Accelerator& accelerator, KernelFormat format);

}  // namespace commcost
