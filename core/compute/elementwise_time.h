#pragma once

#include "core/compute/kernel_parts.h"

namespace commcost {

/// Constants of element-wise kernels and of reductions, in their order.
namespace elementwise_constant {
enum { start_us, memory_share, cache_gain };
}
extern const std::array<KernelConstantRow, num_kernel_constants> elementwise_constants;
KernelParts elementwise_parts(const ElementwiseCall& call, const Chip& chip, const KernelConstants& constants,
                              const KernelRun& run);

}  // namespace commcost
