#include "core/step/step_model.h"

namespace commcost {
namespace {

// As the stack's own runs have it: everything takes `time_scale` times as long.
MachineScales calibrated(MachineScales scales, const Pace& pace) {
  constexpr double percent = 0.01;
  for (double MachineScales::*rate : {&MachineScales::link, &MachineScales::network, &MachineScales::matmul,
                                      &MachineScales::hbm, &MachineScales::launch})
    scales.*rate /= pace.time_scale;
  scales.latency *= pace.time_scale;
  scales.overlap *= pace.overlap_percent * percent;
  return scales;
}

}  // namespace

TokenExchange exchange_of(const Communication& message, const Setting& setting, double message_bytes) {
  TokenExchange exchange;
  exchange.kernel = setting.layout.expert_exchange;
  exchange.phase = message.payload == Payload::dispatched ? ExchangePhase::dispatch : ExchangePhase::combine;
  exchange.routing = routing_of(setting.shape);
  const double copies = message.elements / static_cast<double>(setting.shape.hidden_size);
  exchange.tokens = copies / exchange.routing.experts_per_token;
  exchange.bytes_per_token = message_bytes / copies;
  return exchange;
}

StepModel::StepModel(const Machine& machine, const Setting& setting, const MachineScales& scales)
    : machine_(machine),
      scales_(calibrated(scales, setting.pace)),
      rates_(compute_rates(machine, setting, scales_)),
      collectives_(machine, scales_),
      time_scale_(setting.pace.time_scale) {}

StepModel StepModel::hiding_nothing() const {
  StepModel model = *this;
  model.scales_.overlap = 0;
  return model;
}

StepModel StepModel::hiding_all() const {
  StepModel model = *this;
  model.takes_time_ = false;
  return model;
}

double StepModel::wire_us(const Communication& message, const Setting& setting, double bytes) const {
  if (message.dimension != Dimension::expert)
    return collectives_.time_us(message.collective, message.ranks, bytes);
  return collectives_.time_us(message.ranks, exchange_of(message, setting, bytes));
}

MessageTime StepModel::time_of(const Communication& message, const Setting& setting) const {
  if (!takes_time_) return {};
  const MessageBytes bytes = bytes_of(message, setting);
  const bool waited_for =
      message.dimension != Dimension::data && message.collective != Collective::send_receive;
  return {wire_us(message, setting, bytes.message) +
              (waited_for ? calibrated_us(setting.pace.collective_start_us) : 0),
          bytes.converted / rates_.hbm_bytes_per_us};
}

}  // namespace commcost
