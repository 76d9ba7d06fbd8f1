#include "core/parallel/ledger.h"

#include <benchmark/benchmark.h>

#include "core/model/catalog.h"
#include "core/model/flops.h"
#include "core/parallel/layout_problems.h"
#include "core/textbook/layer_timeline.h"
#include "core/textbook/overlap_ratio.h"
#include "core/training/ledger_report.h"

namespace commcost {
namespace {

constexpr double gpus_of_a_node = 8;

// Every dimension at once, sequence parallelism, chunks, ZeRO-1: as many kinds of calls as a real run has.
Job busy() {
  Job job;
  job.model = find_model("mixtral-8x22b")->shape;
  job.work.sequence_length = 8192;
  job.work.batch_size = 1;
  job.work.global_batch_size = 1024;
  job.work.recompute = Recompute::full;
  job.layout.tensor_parallel = 8;
  job.layout.sequence_parallel = true;
  job.layout.pipeline_parallel = 8;
  job.layout.virtual_stages = 7;
  job.layout.pipeline_schedule = PipelineSchedule::interleaved;
  job.layout.data_parallel = 16;
  job.layout.zero_stage = 1;
  job.layout.context_parallel = 2;
  job.layout.expert_parallel = 8;
  return completed(job);
}

void whole_ledger(benchmark::State& state) {
  Job job = busy();
  const DistinctStages stages = distinct_stages(job, stage_share(job));
  std::size_t rows = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(job);
    const std::vector<SentMessage> ledger = ledger_of(job, stages[0], gpus_of_a_node);
    benchmark::DoNotOptimize(ledger.data());
    rows = ledger.size();
  }
  state.counters["rows"] = static_cast<double>(rows);
  state.counters["budget_us"] = 2;
}
BENCHMARK(whole_ledger);

void layout_can_exist(benchmark::State& state) {
  Job job = busy();
  for (auto _ : state) {
    benchmark::DoNotOptimize(job);
    benchmark::DoNotOptimize(can_exist(job));
  }
}
BENCHMARK(layout_can_exist);

void ledger_with_its_sums(benchmark::State& state) {
  Job job = busy();
  for (auto _ : state) {
    benchmark::DoNotOptimize(job);
    benchmark::DoNotOptimize(ledger_report(job));
  }
}
BENCHMARK(ledger_with_its_sums);

void flops_of_a_step(benchmark::State& state) {
  Job job = busy();
  for (auto _ : state) {
    benchmark::DoNotOptimize(job);
    benchmark::DoNotOptimize(step_flops(job.model, job.work, 1024));
  }
}
BENCHMARK(flops_of_a_step);

void overlap_of_one_point(benchmark::State& state) {
  Job job = busy();
  for (auto _ : state) {
    benchmark::DoNotOptimize(job);
    benchmark::DoNotOptimize(overlap_of(OverlapScheme::tensor_parallel, job, {989, 450}, 0));
  }
}
BENCHMARK(overlap_of_one_point);

void timeline_of_a_layer(benchmark::State& state) {
  Job job = busy();
  TimelineRates rates;
  rates.chunks = state.range(0);
  for (auto _ : state) {
    benchmark::DoNotOptimize(job);
    benchmark::DoNotOptimize(layer_timeline(job, rates));
  }
}
BENCHMARK(timeline_of_a_layer)->Arg(1)->Arg(16);

}  // namespace
}  // namespace commcost
