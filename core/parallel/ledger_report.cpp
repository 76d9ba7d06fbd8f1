#include "core/parallel/ledger_report.h"

#include <cmath>

#include "core/base/units.h"

namespace commcost {
namespace {

LedgerRow row_of(const Transfer& transfer, const LinkSpeeds& speeds) {
  const double network = network_bytes_per_gpu(transfer, static_cast<double>(speeds.gpus_per_node));
  const double within = transfer.sent_bytes_per_gpu - network;
  const double time =
      transfer_us(within, speeds.bandwidth_gb_per_sec) + transfer_us(network, speeds.nic_gb_per_sec);
  return {transfer.dimension,
          transfer.phase,
          transfer.part,
          transfer.payload,
          transfer.collective,
          transfer.group_size,
          transfer.message_size_bytes,
          transfer.calls,
          transfer.sent_bytes_per_gpu,
          network,
          time,
          on_critical_path(transfer),
          transfer.hidden_by,
          transfer.stages,
          transfer.quantized_bytes_per_gpu,
          transfer_us(transfer.quantized_bytes_per_gpu, speeds.hbm_gb_per_sec)};
}

struct Stage {
  bool is_first;
  bool is_last;
};

// The stage whose GPUs send most; with one stage, that one.
Stage busiest_stage(const std::vector<LedgerRow>& rows, double stages) {
  if (stages == 1) return {true, true};
  constexpr Stage kinds[] = {{true, false}, {false, true}, {false, false}};
  Stage busiest = kinds[0];
  double most = -1;
  for (const Stage& kind : kinds) {
    if (!kind.is_first && !kind.is_last && stages < 3) continue;
    double sent = 0;
    for (const LedgerRow& row : rows) {
      if (takes_part(row.stages, kind.is_first, kind.is_last)) sent += row.sent_bytes_per_gpu;
    }
    if (sent > most) {
      most = sent;
      busiest = kind;
    }
  }
  return busiest;
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

void sum_up(LedgerReport& report, const Stage& stage) {
  const auto here = [&stage](const LedgerRow& row) {
    return takes_part(row.stages, stage.is_first, stage.is_last);
  };
  for (const LedgerRow& row : report.rows) {
    if (!here(row)) continue;
    report.sent_bytes_per_gpu += row.sent_bytes_per_gpu;
    report.network_bytes_per_gpu += row.network_bytes_per_gpu;
    report.time_us += row.time_us;
    report.quantizing_time_us += row.quantizing_time_us;
    if (row.critical_path) report.critical_time_us += row.time_us;
  }
  for (const LedgerRow& row : report.rows) {
    if (!here(row)) continue;
    add_to(report.by_dimension, row.dimension, row, report.sent_bytes_per_gpu);
    add_to(report.by_collective, row.collective, row, report.sent_bytes_per_gpu);
    add_to(report.message_sizes, row);
  }
}

}  // namespace

LedgerReport ledger_report(const Setting& setting, const LinkSpeeds& speeds) {
  const Ledger ledger = ledger_of(setting);
  LedgerReport report;
  report.rows.reserve(ledger.size());
  for (const Transfer& transfer : ledger) report.rows.push_back(row_of(transfer, speeds));
  sum_up(report, busiest_stage(report.rows, static_cast<double>(setting.layout.pipeline_parallel)));

  report.num_gpus = static_cast<double>(setting.layout.num_gpus);
  report.micro_batches = static_cast<double>(micro_batches(setting.work, setting.layout));
  report.layers_per_stage = stage_share(setting).layers;
  report.parameters = parameters_of(setting.shape).total;
  report.parameters_per_gpu = parameters_per_gpu(setting);
  const Bubble bubble = bubble_of(setting.layout, report.micro_batches);
  report.bubble_of_ideal = bubble.of_ideal;
  report.bubble_of_total = bubble.of_total;
  return report;
}

}  // namespace commcost
