#pragma once

#include "core/parallel/communications.h"
#include "core/parallel/stage.h"
#include "core/training/step_model.h"

namespace commcost {

/// What replicas exchange, us, by the compute it runs alongside.
struct ExchangeTime {
  double exposed_us = 0;          ///< alongside nothing, and changing data types
  double beside_forward_us = 0;   ///< during a forward pass
  double beside_backward_us = 0;  ///< during a backward pass

  double total_us() const { return exposed_us + beside_forward_us + beside_backward_us; }
};

/// Gradients, weights and the optimizer on one stage, us.
struct UpdateTime {
  ExchangeTime micro_batch;  ///< for each micro-batch: ZeRO-3, and gradients of ZeRO-2
  ExchangeTime iteration;    ///< once an iteration
  double replicated_us = 0;  ///< sequence parallelism: gradients of what every tensor rank holds whole
  double tied_us = 0;        ///< gradients of an embedding that both ends hold
  bool prefetches = false;   ///< whether modules are gathered ahead and scattered behind: ZeRO-3
  double optimizer_us = 0;   ///< Adam over the parameters that this GPU updates
};

/// Time of the processors of a GPU's host for its part of an offloaded optimizer, us. The GPUs of a node
/// share them.
double host_updates_us(const Holdings& holdings, const Job& job);

/// The update of a stage that holds and sends that. Depends on the layout by all degrees but not on work's
/// batch_size, so a search computes it once for many micro-batches.
UpdateTime update_time(const StepModel& step, const Stage& stage, const Holdings& holdings,
                       const Communications& messages);
/// The same from the job alone.
UpdateTime update_time(const StepModel& step, const StageShare& share, const Stage& stage);

}  // namespace commcost
