#pragma once

#include <string_view>

#include "core/hardware/accelerators.h"
#include "core/network/gpu_group.h"

namespace commcost::test {

/// That many GPUs in nodes of eight, each with 50 GB/s to other nodes.
inline GpuGroup group_on(std::string_view accelerator, double ranks) {
  return group_of(*find_fabric(accelerator), ranks, 8, 50);
}

}  // namespace commcost::test
