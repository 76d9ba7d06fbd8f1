#pragma once

#include <vector>

#include "core/compute/kernel_call.h"

namespace commcost {

/// Experts of one rank that get the same number of tokens.
struct ExpertLoad {
  double experts = 0;
  double tokens = 0;  ///< of each of them, at least 1
};

/// The loads of a rank's experts: equal, or under a power law the expected loads of the busiest rank. Experts
/// that get no token are left out.
std::vector<ExpertLoad> expert_loads(const GroupedGemmCall& call);

}  // namespace commcost
