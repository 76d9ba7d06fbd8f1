#include "core/training/step_model.h"

#include "core/parallel/ledger.h"

namespace commcost {
namespace {

// As the stack's own runs have it: everything takes `time_scale` times as long.
MachineScales calibrated(MachineScales scales, const Stack& stack) {
  constexpr double percent = 0.01;
  // Kernels have it in their factors.
  for (double MachineScales::*rate : {&MachineScales::link, &MachineScales::network, &MachineScales::launch})
    scales.*rate /= stack.time_scale;
  scales.latency *= stack.time_scale;
  scales.overlap *= stack.overlap_percent * percent;
  return scales;
}

}  // namespace

StepModel::StepModel(const Job& job, const MachineScales& given) : job_(&job) {
  const MachineScales scales = calibrated(given, job.stack);
  prices_ = std::make_shared<Prices>(Prices{kernel_pricer(job, scales), CollectiveTimer(job.machine, scales),
                                            scales.data_overlap, scales.launch});
  overlap_scale_ = scales.overlap;
}

StepModel StepModel::bound_to(const Job& job) const {
  StepModel model = *this;
  model.job_ = &job;
  return model;
}

StepModel StepModel::remembering() const {
  StepModel model = *this;
  const auto prices = std::make_shared<Prices>(*prices_);
  prices->rates.remember();
  model.prices_ = prices;
  return model;
}

StepModel StepModel::hiding_nothing() const {
  StepModel model = *this;
  model.overlap_scale_ = 0;
  return model;
}

StepModel StepModel::hiding_all() const {
  StepModel model = *this;
  model.takes_time_ = false;
  return model;
}

double StepModel::wire_us(const Communication& message, double bytes) const {
  return message.exchange ? collectives().time_us(message.ranks, *message.exchange)
                          : collectives().time_us(message.collective, message.ranks, bytes);
}

MessageTime StepModel::time_of(const Communication& message) const {
  if (!takes_time_) return {};
  const MessageBytes bytes = bytes_of(message, job());
  const bool waited_for =
      message.dimension != Dimension::data && message.collective != Collective::send_receive;
  return {wire_us(message, bytes.message) + (waited_for ? calibrated_us(job().stack.collective_start_us) : 0),
          bytes.converted / rates().streamed_bytes_per_us()};
}

}  // namespace commcost
