#include "core/collective/ranks.h"

#include <algorithm>
#include <cmath>

namespace commcost {

double ranks_in_domain(const Ranks& ranks, double gpus_per_domain) {
  return std::min(ranks.size, std::max(1.0, std::floor(gpus_per_domain / ranks.stride)));
}

double domains_of(const Ranks& ranks, double gpus_per_domain) {
  return ranks.size / ranks_in_domain(ranks, gpus_per_domain);
}

}  // namespace commcost
