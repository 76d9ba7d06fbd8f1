#pragma once

#include "core/base/result.h"
#include "core/compute/memory_levels.h"

namespace commcost {

/// A product's traffic, level by level.
inline constexpr ResultField level_columns[] = {
    choice_result<&LevelTraffic::level>(
        memory_level_names,
        "Level: from shared memory into the matrix units, from L2 into shared memory, from HBM into L2, and "
        "from the host's pinned or pageable memory or its drives, if operands and result were kept there"),
    result<&LevelTraffic::bytes>("Bytes that the product moves out of it").in("B"),
    result<&LevelTraffic::gb_per_sec>("Rate of the level, whole GPU; 0: not known"),
    result<&LevelTraffic::time_us>("Time of these bytes at that rate; 0: not known"),
    result<&LevelTraffic::flops_per_byte>("FLOPs of the product for each of these bytes").in("FLOP/B"),
    result<&LevelTraffic::ridge_flops_per_byte>(
        "FLOPs per byte at which moving takes as long as multiplying at the peak; 0: not known")
        .in("FLOP/B"),
    result<&LevelTraffic::feeds_tflops>(
        "Rate of the product if only this level limited it, at most the peak; 0: not known"),
};

}  // namespace commcost
