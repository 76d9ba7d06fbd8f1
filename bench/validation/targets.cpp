#include "bench/validation/targets.h"

#include <algorithm>
#include <cstdio>

namespace commcost::validation {

bool keeps(const std::vector<Target>& targets) {
  bool worse = false;
  std::printf("\nTargets\n");
  for (const Target& target : targets) {
    const bool held = target.reached <= target.most && target.reached >= target.least;
    std::printf("%-48s %5.1f %%  target %g to %g: %s\n", target.name.c_str(), target.reached, target.least,
                target.most, held ? "held" : "MISSED");
    if (!held && !target.why.empty())
      std::printf("    %.*s\n", static_cast<int>(target.why.size()), target.why.data());
    worse |= !held && (target.reached > target.known || target.reached < target.least);
  }
  return !worse;
}

}  // namespace commcost::validation
