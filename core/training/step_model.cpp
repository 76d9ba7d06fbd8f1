#include "core/training/step_model.h"

#include "core/parallel/ledger.h"

namespace commcost {
namespace {

// Scaled by the stack's own runs: everything takes time_scale() times as long.
MachineScales calibrated(MachineScales scales, const Job& job) {
  constexpr double percent = 0.01;
  const double slower = time_scale(job);
  // Kernels have this in their factors.
  for (double MachineScales::*rate : {&MachineScales::link, &MachineScales::network, &MachineScales::launch})
    scales.*rate /= slower;
  scales.latency *= slower;
  scales.overlap *= job.stack.overlap_percent * percent;
  return scales;
}

}  // namespace

StepModel::StepModel(const Job& job, const MachineScales& given) : job_(&job) {
  const MachineScales scales = calibrated(given, job);
  rates_ = std::make_shared<KernelPricer>(kernel_pricer(job, scales));
  collectives_ = std::make_shared<CollectiveTimer>(job.machine, scales);
  take(scales);
}

void StepModel::take(const MachineScales& scales) {
  launch_scale_ = scales.launch;
  data_overlap_scale_ = scales.data_overlap;
  overlap_scale_ = scales.overlap;
}

StepModel StepModel::bound_to(const Job& job) const {
  StepModel model = *this;
  model.job_ = &job;
  return model;
}

StepModel StepModel::bound_to(const Job& job, const MachineScales& given, Shared shared) const {
  StepModel model = bound_to(job);
  const MachineScales scales = calibrated(given, job);
  if (!shared.rates) model.rates_ = std::make_shared<KernelPricer>(kernel_pricer(job, scales));
  if (shared.in_domains) {
    model.collectives_ = std::make_shared<CollectiveTimer>(collectives().with_network(job.machine));
  } else if (!shared.collectives) {
    model.collectives_ = std::make_shared<CollectiveTimer>(job.machine, scales);
  }
  model.take(scales);
  return model;
}

StepModel StepModel::remembering(std::size_t most) const {
  StepModel model = *this;
  const auto rates = std::make_shared<KernelPricer>(*rates_);
  rates->remember(most);
  model.rates_ = rates;
  return model;
}

double StepModel::wire_us(const Communication& message, double bytes) const {
  return message.exchange ? collectives().time_us(message.ranks, *message.exchange)
                          : collectives().time_us(message.collective, message.ranks, bytes);
}

MessageTime StepModel::time_of(const Communication& message) const {
  const MessageBytes bytes = bytes_of(message, job());
  const bool waited_for =
      message.dimension != Dimension::data && message.collective != Collective::send_receive;
  return {wire_us(message, bytes.message) + (waited_for ? calibrated_us(job().stack.collective_start_us) : 0),
          bytes.converted / rates().streamed_bytes_per_us()};
}

}  // namespace commcost
