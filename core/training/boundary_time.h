#pragma once

#include "core/parallel/communications.h"
#include "core/training/step_model.h"

namespace commcost {

/// The cost of one micro-batch at the boundary of one chunk of layers, both ways, us.
struct BoundaryTime {
  double beside_forward_us = 0;   ///< activations sent while another chunk is computed
  double beside_backward_us = 0;  ///< gradients sent likewise
  double exposed_us = 0;          ///< what the next stage waits for, and what is gathered on arrival
  double sync_us = 0;             ///< host and device wait for each other

  /// The cost while a pipeline fills: nothing is computed meanwhile.
  double total_us() const { return beside_forward_us + beside_backward_us + exposed_us + sync_us; }
};

/// For stages that send these messages. Depends on the layout by its degrees and by whether there are several
/// chunks. All zero with one stage.
BoundaryTime boundary_time(const StepModel& step, const Communications& messages);
/// The same from the job alone.
BoundaryTime boundary_time(const StepModel& step);

}  // namespace commcost
