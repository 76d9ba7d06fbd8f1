#include "core/step/boundary_time.h"

namespace commcost {

BoundaryTime boundary_time(const Setting& setting, const StepModel& model) {
  BoundaryTime time;
  if (setting.layout.pipeline_parallel == 1) return time;
  Communications messages;
  add_boundary_messages(setting, messages);
  const auto chunks = static_cast<double>(chunks_of_a_stage(setting.layout));
  constexpr double ways = 2;
  time.sync_us = model.calibrated_us(ways * setting.pace.pipeline_sync_us) * model.scales().pipeline_sync;
  for (const Communication& message : messages) {
    // Stages go at the pace of those with neighbours on both sides.
    if (message.stages == Stages::first || message.stages == Stages::last) continue;
    const MessageTime one = model.time_of(message, setting);
    const double count = message.count / chunks;
    (message.overlaps_with == OverlapsWith::forward    ? time.beside_forward_us
     : message.overlaps_with == OverlapsWith::backward ? time.beside_backward_us
                                                       : time.exposed_us) += count * one.wire_us;
    time.exposed_us += count * one.conversion_us;
  }
  return time;
}

}  // namespace commcost
