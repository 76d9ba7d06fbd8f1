#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace commcost::validation {

/// A figure that is judged, percent or points.
struct Target {
  std::string name;
  double most;
  double reached;
  double least = 0;
  double known = 0;  ///< of a target that is missed: what it was, with a point's room; 0: the target holds
  std::string_view why = {};  ///< of a target that is missed: the cause, and what was tried
};

/// Prints each target, held or missed and why; false where one is missed by more than is known.
bool keeps(const std::vector<Target>& targets);

}  // namespace commcost::validation
