#include "core/training/ledger_report.h"

#include <cmath>

#include "core/base/units.h"

namespace commcost {
namespace {

LedgerRow row_of(const SentMessage& message, const Stage& stage, const StepModel& step) {
  const Machine& machine = step.job().machine;
  return {{message, step.time_of(message).wire_us * message.calls},
          transfer_us(message.scale_up_bytes_per_gpu(), machine.bandwidth_gb_per_sec) +
              transfer_us(message.network_bytes_per_gpu, machine.nic_gb_per_sec),
          message.overlaps_with == OverlapsWith::nothing,
          takes_part(message, stage),
          transfer_us(message.quantized_bytes_per_gpu, machine.hbm_gb_per_sec)};
}

template <class Heading>
void add_to(std::vector<LedgerPart<Heading>>& parts, Heading heading, const LedgerRow& row, double total) {
  auto found = parts.begin();
  while (found != parts.end() && found->heading != heading) ++found;
  if (found == parts.end()) found = parts.insert(found, LedgerPart<Heading>{{}, heading});
  found->add(row);
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

void sum_up(LedgerReport& report) {
  for (const LedgerRow& row : report.rows)
    if (row.sent_by_stage) report.add(row);
  for (const LedgerRow& row : report.rows) {
    if (!row.sent_by_stage) continue;
    add_to(report.by_dimension, row.dimension, row, report.sent_bytes_per_gpu);
    add_to(report.by_collective, row.collective, row, report.sent_bytes_per_gpu);
    add_to(report.message_sizes, row);
  }
}

Stage stage_of(const Job& job, const StageShare& share, double gpus_per_domain, LedgerStage asked) {
  switch (asked) {
    case LedgerStage::busiest:
      break;
    case LedgerStage::first:
      return stage_at(job, share, 0);
    case LedgerStage::inner:
      return stage_at(job, share, inner_stage(job.layout));
    case LedgerStage::last:
      return stage_at(job, share, job.layout.pipeline_parallel - 1);
  }
  return busiest_stage(job, gpus_per_domain);
}

}  // namespace

void LedgerSum::add(const LedgerRow& row) {
  MessageSum::add(row);
  line_rate_us += row.line_rate_us;
  if (row.critical_path) critical_time_us += row.time_us;
  quantizing_time_us += row.quantizing_time_us;
}

LedgerReport ledger_report(const StepModel& step, LedgerStage asked) {
  const Job& job = step.job();
  const StageShare share = stage_share(job);
  const double domain = scale_up_domain(job.machine);
  const Stage stage = stage_of(job, share, domain, asked);
  LedgerReport report;
  report.stage = stage.place;
  for (const SentMessage& message : ledger_of(job, stage, domain))
    report.rows.push_back(row_of(message, stage, step));
  sum_up(report);

  report.cluster_gpus = static_cast<double>(job.layout.cluster_gpus);
  report.micro_batches = static_cast<double>(micro_batches(job.work, job.layout));
  report.layers_per_stage = share.layers;
  report.parameters = parameters_of(job.model).total;
  report.parameters_per_gpu = parameters_per_gpu(job);
  const TextbookBubble bubble = textbook_bubble(job.layout, report.micro_batches);
  report.bubble_of_ideal = bubble.of_ideal;
  report.bubble_of_total = bubble.of_total;
  return report;
}

}  // namespace commcost
