#include "core/parallel/ledger_report.h"

#include <gtest/gtest.h>

#include "support/settings.h"

namespace commcost {
namespace {

using test::changed;

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
  const LedgerReport report = ledger_report(spread(), {});
  EXPECT_GT(report.sent_bytes_per_gpu, 0);
  EXPECT_DOUBLE_EQ(total(report.by_dimension), report.sent_bytes_per_gpu);
  EXPECT_DOUBLE_EQ(total(report.by_collective), report.sent_bytes_per_gpu);
  EXPECT_DOUBLE_EQ(total(report.message_sizes), report.sent_bytes_per_gpu);
  double shares = 0;
  for (const auto& sum : report.by_dimension) shares += sum.share;
  EXPECT_DOUBLE_EQ(shares, 1);
}

TEST(LedgerReport, SumsUpTheStageThatSendsMost) {
  const LedgerReport report = ledger_report(spread(), {});
  double most = 0;
  for (const bool first : {true, false}) {
    for (const bool last : {true, false}) {
      if (first && last) continue;
      double sent = 0;
      for (const LedgerRow& row : report.rows) {
        if (takes_part(row.stages, first, last)) sent += row.sent_bytes_per_gpu;
      }
      most = std::max(most, sent);
    }
  }
  EXPECT_DOUBLE_EQ(report.sent_bytes_per_gpu, most);
}

TEST(LedgerReport, PricesBytesByTheLinkTheyTake) {
  LinkSpeeds speeds;
  speeds.bandwidth_gb_per_sec = 100;
  speeds.nic_gb_per_sec = 10;
  for (const LedgerRow& row : ledger_report(spread(), speeds).rows) {
    const double within = row.sent_bytes_per_gpu - row.network_bytes_per_gpu;
    EXPECT_DOUBLE_EQ(row.time_us, within / 1e5 + row.network_bytes_per_gpu / 1e4);
    EXPECT_EQ(row.network_bytes_per_gpu > 0,
              row.dimension == Dimension::data || row.dimension == Dimension::pipeline);
  }
}

TEST(LedgerReport, BinsMessagesByPowersOfTwo) {
  const LedgerReport report = ledger_report(spread(), {});
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
  const LedgerReport report = ledger_report(test::plain_setting(test::classic_shape(2, 64, 4, 100), 16), {});
  EXPECT_TRUE(report.rows.empty());
  EXPECT_EQ(report.sent_bytes_per_gpu, 0);
  EXPECT_EQ(report.num_gpus, 1);
}

}  // namespace
}  // namespace commcost
