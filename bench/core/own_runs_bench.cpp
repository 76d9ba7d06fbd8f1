#include <benchmark/benchmark.h>

#include "core/model/catalog.h"
#include "core/parallel/recipes.h"
#include "core/training/step_fit.h"

namespace commcost {
namespace {

// Llama 3.1 8B on ever more H100, sequences of different lengths, each a little off in its own way.
std::vector<TimedStep> own_steps(std::int64_t count) {
  std::vector<TimedStep> steps;
  for (std::int64_t at = 0; at < count; ++at) {
    Job job;
    fill(job, *find_recipe("torchtitan"));
    job.model = find_model("llama-3.1-8b")->shape;
    job.work.batch_size = 1;
    job.work.sequence_length = 1024 * (1 + at % 8);
    job.layout.data_parallel = 8 << (at % 6);
    job.layout.zero_stage = 3;
    job.machine.accelerator = place_of_accelerator("h100-sxm");
    job = completed(job);
    const double off = 1.2 + 0.01 * static_cast<double>(at % 5);
    steps.push_back({job, off * moved_step_ms(job, unmoved())});
  }
  return steps;
}

/// Three rows as a reader has them, and as many as fit_step takes.
void fit_of_own_steps(benchmark::State& state) {
  const std::vector<TimedStep> steps = own_steps(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(fit_steps(steps));
}
BENCHMARK(fit_of_own_steps)->Arg(3)->Arg(256)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace commcost
