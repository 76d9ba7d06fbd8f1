#pragma once

#include "core/compute/kernel_pricer.h"
#include "core/parallel/job.h"

namespace commcost {

/// What the prices of a job's kernels follow from: all else is as by default, so that it plays no part.
struct KernelRates {
  Machine machine;
  Work work;
  KernelHabits habits;
  MachineScales scales;

  bool operator==(const KernelRates&) const = default;
};
KernelRates kernel_rates(const Job& job, const MachineScales& scales = {});

/// Prices a job's kernels as its stack runs them on its machine, which may be otherwise.
KernelPricer kernel_pricer(const Job& job, const MachineScales& scales = {});

}  // namespace commcost
