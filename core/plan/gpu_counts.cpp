#include "core/plan/gpu_counts.h"

#include <algorithm>

namespace commcost {
namespace {

// The next smaller number: half if that is whole nodes, otherwise the greatest power of two times `unit`
// below.
std::int64_t smaller(std::int64_t count, std::int64_t gpus_per_node) {
  const std::int64_t unit = count > gpus_per_node ? gpus_per_node : 1;
  if (count % (2 * unit) == 0) return count / 2;
  std::int64_t below = unit;
  while (2 * below < count) below *= 2;
  return below;
}

}  // namespace

std::vector<std::int64_t> gpu_counts(std::int64_t cluster_gpus, std::int64_t gpus_per_node,
                                     std::int64_t greatest) {
  std::vector<std::int64_t> counts{cluster_gpus};
  while (counts.back() > 1) counts.push_back(smaller(counts.back(), gpus_per_node));
  std::reverse(counts.begin(), counts.end());
  for (std::int64_t times = 2; times <= most_times_as_many && times * cluster_gpus <= greatest; times *= 2)
    counts.push_back(times * cluster_gpus);
  return counts;
}

}  // namespace commcost
