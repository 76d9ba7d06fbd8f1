#pragma once

#include "core/base/outcome.h"

namespace commcost {

/// A measured step on g GPUs and the network's efficiency on n, as the ExaComm'24 slides of
/// DOI 10.1145/3639034 project it: compute stays as it is (weak scaling), communication takes 1/efficiency of
/// its time.
struct ScalingInputs {
  double compute_share = 0;        ///< of the step on g GPUs, 0 to 1
  double communication_share = 0;  ///< exposed, of the step on g GPUs, 0 to 1
  double efficiency = 0;           ///< of the network on n GPUs against g; 0: from the two bandwidths
  double from_gpus = 0;            ///< g, 0: not given
  double to_gpus = 0;              ///< n, 0: not given
  double from_bus_bandwidth_gb_per_sec = 0;  ///< on g GPUs, 0: not given
  double to_bus_bandwidth_gb_per_sec = 0;    ///< on n GPUs, 0: not given
};

/// The projected step.
struct ScalingProjection {
  double speedup = 0;           ///< throughput of each GPU relative to g GPUs; at most 1 if efficiency is
  double throughput_ratio = 0;  ///< of the whole machine relative to g GPUs: speedup n/g; 0 without g and n
  double efficiency = 0;        ///< given or derived
  double step_time_ratio = 0;   ///< 1 / speedup
  double communication_time_ratio = 0;  ///< 1 / efficiency
  double throughput_loss_percent = 0;   ///< of each GPU
};

/// speedup = (c + r) / (c + r / e); e derived as busbw(n)/busbw(g) times the ratio of the ring's volume
/// factors, ((g-1)/g) / ((n-1)/n).
Outcome<ScalingProjection> project_scaling(const ScalingInputs& inputs);

}  // namespace commcost
