#pragma once

#include <string>
#include <vector>

#include "core/compute/kernel_price.h"

namespace commcost::validation::kernels {

/// A measured kernel.
struct MeasuredKernel {
  KernelQuestion question;
  const Accelerator* accelerator = nullptr;
  double time_us = 0;
  std::string shape;   ///< what stays the same while one dimension varies: left out together
  std::string series;  ///< that shape on one accelerator, in one format and library
  KernelFamily family = KernelFamily::gemm;
};

/// Every row of tests/data/kernels_*.csv that can be what its columns say: none faster than peak or memory.
std::vector<MeasuredKernel> measured_kernels(const std::string& folder);

/// The classes that targets are set for.
bool large_gemm(const MeasuredKernel& row);
bool long_prefill(const MeasuredKernel& row);
bool large_decode(const MeasuredKernel& row);

}  // namespace commcost::validation::kernels
