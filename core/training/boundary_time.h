#pragma once

#include "core/parallel/communications.h"
#include "core/training/step_model.h"

namespace commcost {

/// What one micro-batch costs at the boundary of one chunk of layers, both ways, us.
struct BoundaryTime {
  double beside_forward_us = 0;   ///< activations on their way while another chunk is computed
  double beside_backward_us = 0;  ///< gradients on theirs
  double exposed_us = 0;          ///< what the next stage waits for, and what is put together on arrival
  double sync_us = 0;             ///< host and device wait for each other

  /// What fills a pipeline: nothing is computed meanwhile.
  double total_us() const { return beside_forward_us + beside_backward_us + exposed_us + sync_us; }
};

/// Of stages that send these messages. Depends on the layout by the degrees and by whether there are several
/// chunks. No time with one stage.
BoundaryTime boundary_time(const StepModel& step, const Communications& messages);
/// The same by the job alone.
BoundaryTime boundary_time(const StepModel& step);

}  // namespace commcost
