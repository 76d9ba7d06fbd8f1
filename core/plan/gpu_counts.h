#pragma once

#include <cstdint>
#include <vector>

namespace commcost {

/// Numbers of GPUs worth comparing up to `num_gpus`, ascending: what halving it leaves as whole nodes, then
/// powers of two, of nodes first.
std::vector<std::int64_t> gpu_counts(std::int64_t num_gpus, std::int64_t gpus_per_node);

}  // namespace commcost
