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

double optimizer_us(const Holdings& holdings, const Layout& layout, const StepModel& model) {
  return model.calibrated_us(constants::optimizer_fixed_us) +
         parameters_kept(holdings, layout, StateKind::optimizer) * constants::optimizer_traffic_bytes /
             model.rates().hbm_bytes_per_us;
}

}  // namespace

UpdateTime update_time(const Setting& setting, const StageShare& share, const Stage& stage,
                       const StepModel& model) {
  const Holdings holdings = holdings_of(setting, share, stage);
  UpdateTime time;
  Communications messages;
  add_update_messages(setting, share, holdings, messages);
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
  time.prefetches = is_sharded(setting.layout, StateKind::weights);
  time.optimizer_us = optimizer_us(holdings, setting.layout, model);
  return time;
}

}  // namespace commcost
