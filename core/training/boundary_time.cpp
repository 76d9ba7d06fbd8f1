#include "core/training/boundary_time.h"

namespace commcost {

BoundaryTime boundary_time(const StepModel& step) {
  Communications messages;
  add_boundary_messages(step.job(), messages);
  return boundary_time(step, messages);
}

BoundaryTime boundary_time(const StepModel& step, const Communications& messages) {
  const Job& job = step.job();
  BoundaryTime time;
  if (job.layout.pipeline_parallel == 1) return time;
  const auto chunks = static_cast<double>(chunks_of_a_stage(job.layout));
  constexpr double ways = 2;
  time.sync_us = step.calibrated_us(ways * job.stack.pipeline_sync_us);
  for (const Communication& message : messages) {
    // Stages run at the pace of those with neighbours on both sides.
    if (message.stages == Stages::first || message.stages == Stages::last) continue;
    const MessageTime one = step.time_of(message);
    const double count = message.count / chunks;
    (message.overlaps_with == OverlapsWith::forward    ? time.beside_forward_us
     : message.overlaps_with == OverlapsWith::backward ? time.beside_backward_us
                                                       : time.exposed_us) += count * one.wire_us;
    time.exposed_us += count * one.conversion_us;
  }
  return time;
}

}  // namespace commcost
