#pragma once

#include <cstdint>
#include <vector>

namespace commcost {

/// How many times the available GPUs are compared.
inline constexpr std::int64_t most_times_as_many = 16;

/// Numbers of GPUs worth comparing with `cluster_gpus`, ascending: what halving it leaves as whole nodes,
/// then powers of two, of nodes first; above it, its double up to 16 times, at most `greatest`.
std::vector<std::int64_t> gpu_counts(std::int64_t cluster_gpus, std::int64_t gpus_per_node,
                                     std::int64_t greatest);

}  // namespace commcost
