#include "core/parallel/ledger.h"

#include <benchmark/benchmark.h>

#include "core/model/catalog.h"
#include "core/model/flops.h"
#include "core/parallel/layout_problems.h"
#include "core/step/ledger_report.h"
#include "core/textbook/layer_timeline.h"
#include "core/textbook/overlap_ratio.h"

namespace commcost {
namespace {

constexpr double gpus_of_a_node = 8;

// Every dimension at once, sequence parallelism, chunks, ZeRO-1: as many kinds of calls as a real run has.
Setting busy() {
  Setting setting;
  setting.shape = find_model("mixtral-8x22b")->shape;
  setting.work.sequence_length = 8192;
  setting.work.batch_size = 1;
  setting.work.global_batch_size = 1024;
  setting.work.recompute = Recompute::full;
  setting.layout.tensor_parallel = 8;
  setting.layout.sequence_parallel = true;
  setting.layout.pipeline_parallel = 8;
  setting.layout.virtual_stages = 7;
  setting.layout.pipeline_schedule = PipelineSchedule::interleaved;
  setting.layout.data_parallel = 16;
  setting.layout.zero_stage = 1;
  setting.layout.context_parallel = 2;
  setting.layout.expert_parallel = 8;
  return completed(setting);
}

void whole_ledger(benchmark::State& state) {
  Setting setting = busy();
  const DistinctStages stages = distinct_stages(setting, stage_share(setting));
  std::size_t rows = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(setting);
    const std::vector<LedgerEntry> ledger = ledger_of(setting, stages[0], gpus_of_a_node);
    benchmark::DoNotOptimize(ledger.data());
    rows = ledger.size();
  }
  state.counters["rows"] = static_cast<double>(rows);
  state.counters["budget_us"] = 2;
}
BENCHMARK(whole_ledger);

void layout_can_exist(benchmark::State& state) {
  Setting setting = busy();
  for (auto _ : state) {
    benchmark::DoNotOptimize(setting);
    benchmark::DoNotOptimize(can_exist(setting));
  }
}
BENCHMARK(layout_can_exist);

void ledger_with_its_sums(benchmark::State& state) {
  Setting setting = busy();
  for (auto _ : state) {
    benchmark::DoNotOptimize(setting);
    benchmark::DoNotOptimize(ledger_report(setting, completed(Machine{})));
  }
}
BENCHMARK(ledger_with_its_sums);

void flops_of_a_step(benchmark::State& state) {
  Setting setting = busy();
  for (auto _ : state) {
    benchmark::DoNotOptimize(setting);
    benchmark::DoNotOptimize(step_flops(setting.shape, setting.work, 1024));
  }
}
BENCHMARK(flops_of_a_step);

void overlap_of_one_point(benchmark::State& state) {
  Setting setting = busy();
  for (auto _ : state) {
    benchmark::DoNotOptimize(setting);
    benchmark::DoNotOptimize(overlap_of(OverlapScheme::tensor_parallel, setting, {989, 450}, 0));
  }
}
BENCHMARK(overlap_of_one_point);

void timeline_of_a_layer(benchmark::State& state) {
  Setting setting = busy();
  TimelineRates rates;
  rates.chunks = state.range(0);
  for (auto _ : state) {
    benchmark::DoNotOptimize(setting);
    benchmark::DoNotOptimize(layer_timeline(setting, rates));
  }
}
BENCHMARK(timeline_of_a_layer)->Arg(1)->Arg(16);

}  // namespace
}  // namespace commcost
