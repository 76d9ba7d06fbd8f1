#pragma once

#include "core/collective/reduce_kernel.h"
#include "core/network/band.h"
#include "core/network/gpu_group.h"

namespace commcost {

/// The constants of all-reduce kernels: `validation serving --fit` over tests/data/small_allreduce.csv.
struct ReduceKernelConstants {
  double start_ampere_us = 4.3;       ///< one barrier of two ranks, by the links between them
  double start_hopper_us = 2.7;       ///< NVLink 4
  double start_blackwell_us = 4.8;    ///< NVLink 5
  double start_infinity_us = 3.7;     ///< Infinity Fabric
  double start_pcie_us = 5.1;         ///< PCIe, and all else
  double start_for_each_rank = 0.05;  ///< of the start, for each rank beyond two
  double two_shot_starts = 3.2;       ///< starts of a two-shot kernel
  double nvls_starts = 3.7;           ///< starts of one where switches sum
  double link_share = 0.58;           ///< of the link's rate that kernels reach
};

/// The fitted values.
inline constexpr ReduceKernelConstants reduce_kernel_constants{};

/// An all-reduce by one kernel.
struct ReducedBy {
  ReduceKernel kernel = ReduceKernel::nccl;
  double start_us = 0;     ///< barriers: the time of an empty message; of NCCL all but the transfer
  double transfer_us = 0;  ///< the message over the links

  double time_us() const { return start_us + transfer_us; }
};

/// Whether a group can run a kernel: NCCL always, the others within one domain, NVLS if switches reduce.
bool runs(const GpuGroup& group, ReduceKernel kernel);

/// What a rank sends in an all-reduce over `ranks` by a kernel, in messages: 2 (n - 1) / n by NCCL's ring and
/// a two-shot kernel, n - 1 by a one-shot kernel, 1 + 1 / n if switches sum.
double sent_messages(ReduceKernel kernel, double ranks);

/// An all-reduce of that many bytes by a kernel that the group can run; best: by the fastest.
ReducedBy reduced_by(const GpuGroup& group, ReduceKernel kernel, double message_size_bytes,
                     const ReduceKernelConstants& constants = reduce_kernel_constants);

/// Measured over predicted time: 80 % of held-out measurements of serving engines' kernels lie between.
Band reduce_kernel_band();

/// Median error on measurements that took no part in the fit, %.
double reduce_kernel_error_percent();

}  // namespace commcost
