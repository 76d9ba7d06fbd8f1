#pragma once

#include "core/compute/kernel_call.h"
#include "core/hardware/accelerators.h"

namespace commcost {

/// An accelerator as a kernel of one format meets it.
struct Chip {
  double flops_per_us = 1;        ///< matrix peak at which the format is multiplied
  double wide_flops_per_us = 1;   ///< matrix peak in 16 bits
  double limit_flops_per_us = 1;  ///< upper limit for kernels of the format
  double hbm_bytes_per_us = 1;
  double multiprocessors = 1;  ///< 1 if their number is not known: then no kernel waits for its last tiles
  double cache_bytes = 0;      ///< L2
  double power_watts = 0;      ///< power limit; 0: not known, so never reached
  double exponential_rate = 1;
};

/// Matrix peak of a format, TFLOP/s; 0 where the accelerator does not multiply it.
double peak_tflops(const Accelerator& accelerator, KernelFormat format);

/// The accelerator at a format that it multiplies.
Chip chip_of(const Accelerator& accelerator, KernelFormat format);

}  // namespace commcost
