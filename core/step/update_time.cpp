#include "core/step/update_time.h"

#include "core/step/constants.h"

namespace commcost {
namespace {

void add(ExchangeTime& exchange, OverlapsWith overlaps_with, double us) {
  switch (overlaps_with) {
    case OverlapsWith::forward:
      exchange.beside_forward_us += us;
      return;
    case OverlapsWith::backward:
      exchange.beside_backward_us += us;
      return;
    default:
      exchange.exposed_us += us;
  }
}

double optimizer_us(const Setting& setting, const StageParameters& held, const StepModel& model) {
  const Layout& layout = setting.layout;
  const bool sharded = layout.zero_stage >= 1;
  const double updated = held.shared / (sharded ? data_groups(layout).shards.size : 1) +
                         held.experts / (sharded ? expert_data_groups(layout).shards.size : 1);
  return model.calibrated_us(constants::optimizer_fixed_us) +
         updated * constants::optimizer_traffic_bytes / model.rates().hbm_bytes_per_us;
}

}  // namespace

UpdateTime update_time(const Setting& setting, const StageShare& share, const Stage& stage,
                       const StepModel& model) {
  UpdateTime time;
  Communications messages;
  add_update_messages(setting, share, stage, messages);
  for (const Communication& message : messages) {
    if (!takes_part(message, stage)) continue;
    const MessageTime one = model.time_of(message, setting);
    const double count = calls(message, stage, 1);
    if (message.dimension == Dimension::data) {
      ExchangeTime& exchange = message.per == Per::iteration ? time.iteration : time.micro_batch;
      add(exchange, message.overlaps_with, count * one.wire_us);
      exchange.exposed_us += count * one.conversion_us;
    } else {
      (message.dimension == Dimension::pipeline ? time.tied_us : time.replicated_us) +=
          count * one.total_us();
    }
  }
  time.prefetches = setting.layout.zero_stage == 3;
  time.optimizer_us = optimizer_us(setting, parameters_of(share, stage), model);
  return time;
}

}  // namespace commcost
