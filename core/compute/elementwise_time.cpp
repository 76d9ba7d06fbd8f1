#include "core/compute/elementwise_time.h"

#include "core/compute/tiles.h"

namespace commcost {

const std::array<KernelConstantRow, num_kernel_constants> elementwise_constants = {{
    {"start_us", 3, 0.7, "Time of an empty kernel in a graph"},
    {"memory_share", 0.7, 0.3, "Share of the memory bandwidth"},
    {"cache_gain", 2, 0.5, "Rate of what lies in L2, over the memory's"},
    {"", 1, 0, ""},
    {"", 1, 0, ""},
    {"", 1, 0, ""},
}};

KernelParts elementwise_parts(const ElementwiseCall& call, const Chip& chip, const KernelConstants& constants,
                              const KernelRun& run) {
  using namespace elementwise_constant;
  KernelParts parts;
  parts.bytes = call.elements * (call.read_bytes + call.write_bytes);
  parts.start_us = constants[start_us];
  parts.memory_us = beyond_cache(parts.bytes, run.warm_cache ? chip.cache_bytes : 0, constants[cache_gain]) /
                    streaming_rate(chip, constants[memory_share]);
  parts.time_us = parts.start_us + parts.memory_us;
  return parts;
}

}  // namespace commcost
