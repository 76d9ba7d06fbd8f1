#include "core/training/update_time.h"

#include "core/parallel/job_kernels.h"
#include "core/training/constants.h"

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

double updated_on_host(const Holdings& holdings, const Job& job) {
  return offloaded_optimizer_share(job.work) * parameters_kept(holdings, job.layout, StateKind::optimizer);
}

// What the host updates: gradients are copied to it and weights back, one after the other, as is
// Megatron-Core's default.
double host_update_us(const Holdings& holdings, const StepModel& step) {
  const Job& job = step.job();
  const double parameters = updated_on_host(holdings, job);
  if (parameters == 0) return 0;
  const auto copied = static_cast<double>(job.work.gradient_bytes_per_element + job.work.bytes_per_element);
  return parameters * copied / step.host_bytes_per_us() + step.calibrated_us(host_updates_us(holdings, job));
}

double optimizer_us(const Holdings& holdings, const StepModel& step) {
  double us = step.calibrated_us(constants::optimizer_fixed_us) + host_update_us(holdings, step);
  for (const Kernel& kernel : update_kernels(step.job(), holdings)) us += step.rates().time_us(kernel);
  return us;
}

}  // namespace

double host_updates_us(const Holdings& holdings, const Job& job) {
  return updated_on_host(holdings, job) * static_cast<double>(job.machine.gpus_per_node) /
         constants::host_updated_parameters_per_us;
}

UpdateTime update_time(const StepModel& step, const StageShare& share, const Stage& stage) {
  const Holdings holdings = holdings_of(step.job(), share, stage);
  Communications messages;
  add_update_messages(step.job(), share, holdings, messages);
  return update_time(step, stage, holdings, messages);
}

UpdateTime update_time(const StepModel& step, const Stage& stage, const Holdings& holdings,
                       const Communications& messages) {
  UpdateTime time;
  for (const Communication& message : messages) {
    if (!takes_part(message, stage)) continue;
    const MessageTime one = step.time_of(message);
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
  time.prefetches = is_sharded(step.job().layout, StateKind::weights);
  time.optimizer_us = optimizer_us(holdings, step);
  return time;
}

}  // namespace commcost
