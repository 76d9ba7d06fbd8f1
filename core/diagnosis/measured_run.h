#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/collective/kind.h"
#include "core/logs/gpu_samples.h"
#include "core/network/fit.h"

namespace commcost {

/// Kernels of one name and shape, or messages of one group, on one GPU of a profile; all steps of it.
struct ProfiledKernels {
  double rank = 0;
  std::string name;
  double m = 0;  ///< of a product: rows; 0: not given
  double n = 0;
  double k = 0;
  std::string process_group;      ///< as the profiler describes it; empty: it computes, or is not given
  double group_size = 0;          ///< ranks of that group; 0: not given
  double message_size_bytes = 0;  ///< of one call, as nccl-tests counts it; 0: not given
  double calls = 0;
  double time_us = 0;     ///< of all calls
  double exposed_us = 0;  ///< of a message, while nothing computes
};

/// A GPU's profile: its time taken apart, all steps of it.
struct ProfiledRank {
  double rank = 0;
  double steps = 1;
  double total_us = 0;
  double idle_us = 0;
  double communication_only_us = 0;  ///< while messages are under way and nothing computes; 0: not given
  double launch_pauses_us = 0;
  double longest_pause_us = 0;
};

/// A log of nccl-tests.
struct NetworkLog {
  Collective collective = Collective::all_reduce;
  double num_gpus = 0;
  std::vector<TimedMessage> points;
};

/// Everything that was given about one run.
struct MeasuredRun {
  std::vector<double> step_times_ms;  ///< of all steps of a log, in order
  std::vector<ProfiledRank> ranks;
  std::vector<ProfiledKernels> kernels;
  std::vector<NetworkLog> networks;
  std::vector<SampledGpu> samples;
};

}  // namespace commcost
