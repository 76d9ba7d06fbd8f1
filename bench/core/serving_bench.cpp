#include <benchmark/benchmark.h>

#include "core/model/catalog.h"
#include "core/plan/goodput_plan.h"
#include "core/serving/serving_load.h"

namespace commcost {
namespace {

/// Llama 3.1 70B in FP8 on H200.
template <class Inputs>
Inputs served() {
  Inputs inputs;
  inputs.job.model = find_model("llama-3.1-70b")->shape;
  inputs.job.work.weight_bytes_per_element = 1;
  inputs.job.work.matmul_precision = MatmulPrecision::fp8;
  inputs.job.machine.accelerator = place_of_accelerator("h200-sxm");
  return inputs;
}

/// One server at TP 4 and four requests a second, without its bands. Budget: 0.5 s for 100,000 requests.
void load_of_requests(benchmark::State& state) {
  auto inputs = served<ServingLoadInputs>();
  inputs.job.layout.tensor_parallel = 4;
  inputs.requests_per_sec = 4;
  inputs.requests = state.range(0);
  for (auto _ : state) benchmark::DoNotOptimize(expected_load(inputs));
  state.SetItemsProcessed(state.iterations() * inputs.requests);
}
BENCHMARK(load_of_requests)->Arg(10000)->Arg(100000)->Unit(benchmark::kMillisecond);

/// Every deployment on 8 GPUs without a queue. Budget: 0.5 s.
void plan_without_a_queue(benchmark::State& state) {
  const auto inputs = served<ServingPlanInputs>();
  for (auto _ : state) benchmark::DoNotOptimize(plan_serving(inputs));
}
BENCHMARK(plan_without_a_queue)->Unit(benchmark::kMillisecond);

/// The same by goodput at P99, of 10,000 requests each. Budget: 4 s.
void plan_at_p99(benchmark::State& state) {
  const auto inputs = served<GoodputPlanInputs>();
  for (auto _ : state) {
    SimulatedDeployments none;
    benchmark::DoNotOptimize(plan_goodput(inputs, 0, none));
  }
}
BENCHMARK(plan_at_p99)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace commcost
