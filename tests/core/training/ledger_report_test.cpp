#include "core/training/ledger_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/parallel/ledger.h"
#include "support/jobs.h"
#include "support/random_jobs.h"

namespace commcost {
namespace {

using test::changed;

const Machine a100_nodes = completed(Machine{place_of_accelerator("a100-sxm-80gb"), 8, 25});

Job spread() {
  return changed(test::plain_job(test::classic_shape(96, 12288, 96, 51200), 2048), [](Job& s) {
    s.machine = a100_nodes;
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
  const LedgerReport report = ledger_report(spread());
  EXPECT_GT(report.sent_bytes_per_gpu, 0);
  EXPECT_DOUBLE_EQ(total(report.by_dimension), report.sent_bytes_per_gpu);
  EXPECT_DOUBLE_EQ(total(report.by_collective), report.sent_bytes_per_gpu);
  EXPECT_DOUBLE_EQ(total(report.message_sizes), report.sent_bytes_per_gpu);
  double shares = 0;
  for (const auto& sum : report.by_dimension) shares += sum.share;
  EXPECT_DOUBLE_EQ(shares, 1);
}

// Whether the stage at `at` of the line, from 0, sends what `stages` send.
bool sends(Stages stages, std::int64_t at, const Layout& layout) {
  const std::int64_t count = layout.pipeline_parallel;
  // The ways of DualPipe mirror each other; that of DualPipe-V begins and ends on the first stage.
  const bool mirrored = count > 1 && layout.pipeline_schedule == PipelineSchedule::dualpipe;
  const bool begins = at == 0 || (mirrored && at == count - 1);
  const bool turns = at == count - 1 && !mirrored;
  const bool ends = ends_meet(layout) ? begins : turns;
  switch (stages) {
    case Stages::all:
      return true;
    case Stages::first:
      return begins;
    case Stages::last:
      return ends;
    case Stages::first_and_last:
      return begins || ends;
    case Stages::all_but_first:
      return !begins;
    case Stages::all_but_last:
      return !turns;
  }
  return false;
}

double sent_by(const std::vector<LedgerRow>& rows, std::int64_t at, const Layout& layout) {
  double sent = 0;
  for (const LedgerRow& row : rows) sent += sends(row.stages, at, layout) ? row.sent_bytes_per_gpu : 0;
  return sent;
}

TEST(LedgerReport, SumsUpTheStageThatItIsOf) {
  const Layout& layout = spread().layout;
  for (const auto& [stage, at] :
       {std::pair{LedgerStage::first, 0}, {LedgerStage::inner, 6}, {LedgerStage::last, 7}}) {
    const LedgerReport report = ledger_report(spread(), stage);
    double time = 0, line_rate = 0, critical = 0;
    for (const LedgerRow& row : report.rows) {
      EXPECT_EQ(row.sent_by_stage, sends(row.stages, at, layout));
      if (!row.sent_by_stage) continue;
      time += row.time_us;
      line_rate += row.line_rate_us;
      if (row.critical_path) critical += row.time_us;
    }
    EXPECT_DOUBLE_EQ(report.sent_bytes_per_gpu, sent_by(report.rows, at, layout));
    EXPECT_DOUBLE_EQ(report.time_us, time);
    EXPECT_DOUBLE_EQ(report.line_rate_us, line_rate);
    EXPECT_DOUBLE_EQ(report.critical_time_us, critical);
    EXPECT_GT(critical, 0);
    EXPECT_LT(critical, time);
  }
}

// Llama 70B over 8 stages alone, four micro-batches of 4,096 tokens: a boundary passes 67.1 MB, an end of the
// line sends over one, the six stages between over two.
TEST(LedgerReport, InnerStagesOfAPipelineSendTwiceWhatItsEndsDo) {
  const Job job = changed(test::plain_job(test::classic_shape(80, 8192, 64, 128256), 4096), [](Job& s) {
    s.machine = a100_nodes;
    s.model.tied_embeddings = false;
    s.layout.pipeline_parallel = 8;
    s.work.global_batch_size = 4;
  });
  const auto sent = [&](LedgerStage stage) { return ledger_report(job, stage).sent_bytes_per_gpu; };
  constexpr double boundary = 4 * 4096 * 8192 * 2;
  EXPECT_EQ(sent(LedgerStage::first), boundary);
  EXPECT_EQ(sent(LedgerStage::inner), 2 * boundary);
  EXPECT_EQ(sent(LedgerStage::last), boundary);
  EXPECT_EQ(sent(LedgerStage::busiest), 2 * boundary);
  EXPECT_EQ(ledger_report(job).stage, StagePlace::inner);
}

TEST(LedgerReport, NoStageSendsMoreThanTheBusiest) {
  test::Random random(6);
  std::map<StagePlace, int> busiest;
  for (int layout = 0; layout < 3000; ++layout) {
    const Job job = test::on(test::random_training(random), a100_nodes);
    const double domain = scale_up_domain(a100_nodes);
    const LedgerReport report = ledger_report(job);
    ++busiest[report.stage];
    double most = 0;
    for (std::int64_t at = 0; at < job.layout.pipeline_parallel; ++at) {
      const Stage stage = stage_at(job, stage_share(job), at);
      double sent = 0;
      for (const SentMessage& entry : ledger_of(job, stage, domain))
        sent += sends(entry.stages, at, job.layout) ? entry.sent_bytes_per_gpu : 0;
      most = std::max(most, sent);
    }
    ASSERT_NEAR(report.sent_bytes_per_gpu, most, 1e-12 * most) << layout;
    const auto expect_no_more = [&](LedgerStage stage, std::int64_t at) {
      const LedgerReport other = ledger_report(job, stage);
      ASSERT_NEAR(other.sent_bytes_per_gpu, sent_by(other.rows, at, job.layout), 1e-12 * most) << layout;
      ASSERT_LE(other.sent_bytes_per_gpu, report.sent_bytes_per_gpu) << layout;
    };
    expect_no_more(LedgerStage::first, 0);
    expect_no_more(LedgerStage::last, job.layout.pipeline_parallel - 1);
    if (job.layout.pipeline_parallel > 2) expect_no_more(LedgerStage::inner, inner_stage(job.layout));
  }
  for (const StagePlace place : {StagePlace::only, StagePlace::first, StagePlace::inner, StagePlace::last})
    EXPECT_GT(busiest[place], 0) << stage_place_names[static_cast<std::size_t>(place)];
}

TEST(LedgerReport, ShowsLineRatesByTheLinkTheyTake) {
  Machine slow = a100_nodes;
  slow.nic_gb_per_sec = 10;
  slow.bandwidth_gb_per_sec = 100;
  for (const LedgerRow& row : ledger_report(test::on(spread(), slow)).rows) {
    const double within = row.sent_bytes_per_gpu - row.network_bytes_per_gpu;
    EXPECT_DOUBLE_EQ(row.line_rate_us, within / 1e5 + row.network_bytes_per_gpu / 1e4);
    EXPECT_EQ(row.network_bytes_per_gpu > 0,
              row.dimension == Dimension::data || row.dimension == Dimension::pipeline);
  }
}

TEST(LedgerReport, BinsMessagesByPowersOfTwo) {
  const LedgerReport report = ledger_report(spread());
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
  const LedgerReport report = ledger_report(test::plain_job(test::classic_shape(2, 64, 4, 100), 16));
  EXPECT_TRUE(report.rows.empty());
  EXPECT_EQ(report.sent_bytes_per_gpu, 0);
  EXPECT_EQ(report.cluster_gpus, 1);
}

}  // namespace
}  // namespace commcost
