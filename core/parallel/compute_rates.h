#pragma once

#include "core/compute/kernel_time.h"
#include "core/parallel/job.h"

namespace commcost {

/// What a job's stack makes of its machine, which may be otherwise.
ComputeRates compute_rates(const Job& job, const MachineScales& scales = {});

}  // namespace commcost
