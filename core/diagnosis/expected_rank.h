#pragma once

#include <array>
#include <cstdint>

#include "core/diagnosis/kernel_sort.h"
#include "core/training/training_step.h"

namespace commcost {

/// One dimension's messages on a GPU in a step, ms; sequence and vocabulary count as tensor.
struct MessageTimes {
  double wire_ms = 0;     ///< all of them, one after the other
  double exposed_ms = 0;  ///< of that, what the step waits for
  bool leaves_node = false;
};

/// The prediction for one GPU of a pipeline stage in a step, ms.
struct ExpectedRank {
  double step_ms = 0;                                   ///< the whole step, of the slowest stage
  std::array<double, num_compute_sorts> compute_ms{};   ///< by KernelSort
  std::array<MessageTimes, num_dimensions> messages{};  ///< by Dimension
  double idle_ms = 0;                                   ///< bubble, launches, stragglers, slower stages

  double computed_ms() const;
};

/// For a GPU on the stage at place `stage` in the line, from 0, of a completed job without problems.
ExpectedRank expected_rank(const Job& job, const MachineScales& scales, std::int64_t stage);

/// The dimension under which a message is counted.
Dimension counted_as(Dimension dimension);

}  // namespace commcost
