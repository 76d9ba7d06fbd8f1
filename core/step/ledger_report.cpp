#include "core/step/ledger_report.h"

#include <cmath>

#include "core/base/units.h"

namespace commcost {
namespace {

LedgerRow row_of(const LedgerEntry& entry, const Setting& setting, const StepModel& model) {
  const Communication& message = entry.message;
  const Machine& machine = model.machine();
  const MessageTime time = model.time_of(message, setting);
  return {message.dimension,
          message.phase,
          message.part,
          message.payload,
          message.collective,
          message.ranks.size,
          entry.message_size_bytes,
          entry.calls,
          entry.sent.total(),
          entry.sent.network,
          time.wire_us * entry.calls,
          transfer_us(entry.sent.scale_up, machine.bandwidth_gb_per_sec) +
              transfer_us(entry.sent.network, machine.nic_gb_per_sec),
          message.overlaps_with == OverlapsWith::nothing,
          message.overlaps_with,
          message.stages,
          entry.quantized_bytes_per_gpu,
          transfer_us(entry.quantized_bytes_per_gpu, machine.hbm_gb_per_sec)};
}

template <class Heading>
void add_to(std::vector<LedgerSum<Heading>>& sums, Heading heading, const LedgerRow& row, double total) {
  auto found = sums.begin();
  while (found != sums.end() && found->heading != heading) ++found;
  if (found == sums.end()) found = sums.insert(found, LedgerSum<Heading>{heading});
  found->calls += row.calls;
  found->sent_bytes_per_gpu += row.sent_bytes_per_gpu;
  found->network_bytes_per_gpu += row.network_bytes_per_gpu;
  found->time_us += row.time_us;
  if (row.critical_path) found->critical_time_us += row.time_us;
  found->share = found->sent_bytes_per_gpu / total;
}

void add_to(std::vector<MessageSizeBin>& bins, const LedgerRow& row) {
  int exponent = 0;
  std::frexp(row.message_size_bytes, &exponent);
  const double least = std::ldexp(1.0, exponent - 1);
  auto place = bins.begin();
  while (place != bins.end() && place->at_least_bytes < least) ++place;
  if (place == bins.end() || place->at_least_bytes > least) place = bins.insert(place, {least, 0, 0});
  place->calls += row.calls;
  place->sent_bytes_per_gpu += row.sent_bytes_per_gpu;
}

void sum_up(LedgerReport& report, const std::vector<LedgerRow>& here) {
  for (const LedgerRow& row : here) {
    report.sent_bytes_per_gpu += row.sent_bytes_per_gpu;
    report.network_bytes_per_gpu += row.network_bytes_per_gpu;
    report.time_us += row.time_us;
    report.line_rate_us += row.line_rate_us;
    report.quantizing_time_us += row.quantizing_time_us;
    if (row.critical_path) report.critical_time_us += row.time_us;
  }
  for (const LedgerRow& row : here) {
    add_to(report.by_dimension, row.dimension, row, report.sent_bytes_per_gpu);
    add_to(report.by_collective, row.collective, row, report.sent_bytes_per_gpu);
    add_to(report.message_sizes, row);
  }
}

}  // namespace

LedgerReport ledger_report(const Setting& setting, const Machine& machine) {
  const StepModel model(machine, setting);
  const StepTimes times = step_times(setting, model);
  const Stage& stage = times.passes.stages[step_result(times).stage];
  LedgerReport report;
  std::vector<LedgerRow> here;
  for (const LedgerEntry& entry : ledger_of(setting, stage, scale_up_domain(machine))) {
    report.rows.push_back(row_of(entry, setting, model));
    if (takes_part(entry.message, stage)) here.push_back(report.rows.back());
  }
  sum_up(report, here);

  report.cluster_gpus = static_cast<double>(setting.layout.cluster_gpus);
  report.micro_batches = static_cast<double>(micro_batches(setting.work, setting.layout));
  report.layers_per_stage = stage_share(setting).layers;
  report.parameters = parameters_of(setting.shape).total;
  report.parameters_per_gpu = parameters_per_gpu(setting);
  const TextbookBubble bubble = textbook_bubble(setting.layout, report.micro_batches);
  report.bubble_of_ideal = bubble.of_ideal;
  report.bubble_of_total = bubble.of_total;
  return report;
}

}  // namespace commcost
