#pragma once

#include "core/compute/kernel_pricer.h"
#include "core/parallel/job.h"

namespace commcost {

/// Prices a job's kernels as its stack runs them on its machine, which may be otherwise.
KernelPricer kernel_pricer(const Job& job, const MachineScales& scales = {});

}  // namespace commcost
