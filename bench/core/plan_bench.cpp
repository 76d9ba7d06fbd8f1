#include <benchmark/benchmark.h>

#include "core/model/catalog.h"
#include "core/plan/search.h"

namespace commcost {
namespace {

PlanInputs llama_on_16384_h100() {
  PlanInputs inputs;
  inputs.job.model = find_model("llama-3.1-405b")->shape;
  inputs.job.layout.cluster_gpus = 16384;
  inputs.job.work.global_batch_size = 2048;
  inputs.job.work.sequence_length = 8192;
  inputs.job.machine.accelerator = place_of_accelerator("h100-sxm");
  inputs.job.machine.nic_gb_per_sec = 50;
  return inputs;
}

double search_all(const PlanInputs& inputs) {
  LayoutSearch search(inputs);
  search.finish();
  benchmark::DoNotOptimize(search.best().data());
  return search.counts().evaluated;
}

/// Every layout as a whole step, none skipped. Budget: 1,000,000 layouts a second.
void plan_every_layout(benchmark::State& state) {
  PlanInputs inputs = llama_on_16384_h100();
  inputs.prune = false;
  double layouts = 0;
  for (auto _ : state) layouts += search_all(inputs);
  state.SetItemsProcessed(static_cast<std::int64_t>(layouts));
}
BENCHMARK(plan_every_layout)->Unit(benchmark::kMillisecond);

/// The same search as it is used.
void plan_llama_405b(benchmark::State& state) {
  const PlanInputs inputs = llama_on_16384_h100();
  for (auto _ : state) benchmark::DoNotOptimize(search_all(inputs));
}
BENCHMARK(plan_llama_405b)->Unit(benchmark::kMillisecond);

/// 22B on 8 GPUs for batches of 8, 16, ... until as many configurations are computed as calculon's space
/// holds. Budget: 1 s.
void plan_of_193496_configurations(benchmark::State& state) {
  PlanInputs inputs;
  inputs.job.model.num_layers = 48;
  inputs.job.model.hidden_size = 6144;
  inputs.job.model.num_heads = 64;
  inputs.job.model.vocab_size = 51200;
  inputs.job.layout.cluster_gpus = 8;
  inputs.job.work.sequence_length = 2048;
  inputs.job.machine.accelerator = place_of_accelerator("a100-sxm-80gb");
  inputs.prune = false;
  double layouts = 0;
  for (auto _ : state) {
    layouts = 0;
    for (inputs.job.work.global_batch_size = 8; layouts < 193496; inputs.job.work.global_batch_size += 8)
      layouts += search_all(inputs);
  }
  state.counters["layouts"] = layouts;
}
BENCHMARK(plan_of_193496_configurations)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace commcost
