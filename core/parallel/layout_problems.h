#pragma once

#include "core/base/problem.h"
#include "core/parallel/job.h"

namespace commcost {

/// Every reason why a completed job cannot exist, whatever its machine: degrees that do not divide, more
/// stages than layers, experts where there are none. Empty: it can.
Problems layout_problems(const Job& job);

/// Whether there is no such reason; allocates nothing.
bool can_exist(const Job& job);

}  // namespace commcost
