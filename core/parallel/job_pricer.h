#pragma once

#include "core/compute/kernel_pricer.h"
#include "core/parallel/job.h"

namespace commcost {

/// What the prices of a job's kernels depend on: everything else is left at its default.
struct KernelRates {
  Machine machine;
  Work work;
  KernelHabits habits;
  MachineScales scales;

  bool operator==(const KernelRates&) const = default;
};
KernelRates kernel_rates(const Job& job, const MachineScales& scales = {});

/// Prices a job's kernels as its stack runs them on its machine, with `scales` on that.
KernelPricer kernel_pricer(const Job& job, const MachineScales& scales = {});

}  // namespace commcost
