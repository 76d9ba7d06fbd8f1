#include "core/step/ledger_report.h"

#include <gtest/gtest.h>

#include "support/settings.h"

namespace commcost {
namespace {

using test::changed;

const Machine machine = completed(
    Machine{static_cast<int>(find_accelerator("a100-sxm-80gb") - all_accelerators().data()), 8, 25});

Setting spread() {
  return changed(test::plain_setting(test::classic_shape(96, 12288, 96, 51200), 2048), [](Setting& s) {
    s.layout.tensor_parallel = 8;
    s.layout.sequence_parallel = true;
    s.layout.pipeline_parallel = 8;
    s.layout.data_parallel = 4;
    s.layout.zero_stage = 1;
    s.work.global_batch_size = 64;
  });
}

template <class Sums>
double total(const Sums& sums) {
  double bytes = 0;
  for (const auto& sum : sums) bytes += sum.sent_bytes_per_gpu;
  return bytes;
}

TEST(LedgerReport, SumsAgreeWhicheverWayTheyAreCut) {
  const LedgerReport report = ledger_report(spread(), machine);
  EXPECT_GT(report.sent_bytes_per_gpu, 0);
  EXPECT_DOUBLE_EQ(total(report.by_dimension), report.sent_bytes_per_gpu);
  EXPECT_DOUBLE_EQ(total(report.by_collective), report.sent_bytes_per_gpu);
  EXPECT_DOUBLE_EQ(total(report.message_sizes), report.sent_bytes_per_gpu);
  double shares = 0;
  for (const auto& sum : report.by_dimension) shares += sum.share;
  EXPECT_DOUBLE_EQ(shares, 1);
}

TEST(LedgerReport, SumsUpTheStageThatDecidesTheStep) {
  const LedgerReport report = ledger_report(spread(), machine);
  const StepTimes times = step_times(spread(), StepModel(machine, spread()));
  const Stage& stage = times.passes.stages[step_result(times).stage];
  double sent = 0, time = 0, line_rate = 0, critical = 0;
  for (const LedgerRow& row : report.rows) {
    Communication message{};
    message.stages = row.stages;
    if (!takes_part(message, stage)) continue;
    sent += row.sent_bytes_per_gpu;
    time += row.time_us;
    line_rate += row.line_rate_us;
    if (row.critical_path) critical += row.time_us;
  }
  EXPECT_DOUBLE_EQ(report.sent_bytes_per_gpu, sent);
  EXPECT_DOUBLE_EQ(report.time_us, time);
  EXPECT_DOUBLE_EQ(report.line_rate_us, line_rate);
  EXPECT_DOUBLE_EQ(report.critical_time_us, critical);
  EXPECT_GT(critical, 0);
  EXPECT_LT(critical, time);
}

TEST(LedgerReport, ShowsLineRatesByTheLinkTheyTake) {
  Machine slow = machine;
  slow.nic_gb_per_sec = 10;
  slow.bandwidth_gb_per_sec = 100;
  for (const LedgerRow& row : ledger_report(spread(), slow).rows) {
    const double within = row.sent_bytes_per_gpu - row.network_bytes_per_gpu;
    EXPECT_DOUBLE_EQ(row.line_rate_us, within / 1e5 + row.network_bytes_per_gpu / 1e4);
    EXPECT_EQ(row.network_bytes_per_gpu > 0,
              row.dimension == Dimension::data || row.dimension == Dimension::pipeline);
  }
}

TEST(LedgerReport, BinsMessagesByPowersOfTwo) {
  const LedgerReport report = ledger_report(spread(), machine);
  double last = 0, calls = 0, counted = 0;
  for (const MessageSizeBin& bin : report.message_sizes) {
    EXPECT_GT(bin.at_least_bytes, last);
    last = bin.at_least_bytes;
    calls += bin.calls;
  }
  for (const auto& sum : report.by_dimension) counted += sum.calls;
  EXPECT_EQ(calls, counted);
}

TEST(LedgerReport, OfOneGpuIsEmpty) {
  const LedgerReport report =
      ledger_report(test::plain_setting(test::classic_shape(2, 64, 4, 100), 16), machine);
  EXPECT_TRUE(report.rows.empty());
  EXPECT_EQ(report.sent_bytes_per_gpu, 0);
  EXPECT_EQ(report.cluster_gpus, 1);
}

}  // namespace
}  // namespace commcost
