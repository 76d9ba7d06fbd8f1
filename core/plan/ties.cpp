#include "core/plan/ties.h"

#include <algorithm>

namespace commcost {

bool are_a_tie(double one_ms, double other_ms) {
  return std::max(one_ms, other_ms) <= std::min(one_ms, other_ms) * (1 + noise_floor_share);
}

const PlannedLayout* roomiest_tie(const std::vector<PlannedLayout>& front, double best_ms) {
  const PlannedLayout* roomiest = nullptr;
  for (const PlannedLayout& layout : front) {
    if (are_a_tie(layout.step_time_ms, best_ms)) roomiest = &layout;
  }
  return roomiest;
}

}  // namespace commcost
