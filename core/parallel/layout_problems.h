#pragma once

#include "core/base/problem.h"
#include "core/parallel/setting.h"

namespace commcost {

/// Every reason why a completed setting cannot exist: degrees that do not divide, more stages than layers,
/// experts where there are none. Empty: it can.
Problems problems_of(const Setting& setting);

/// Whether there is no such reason; allocates nothing.
bool can_exist(const Setting& setting);

}  // namespace commcost
