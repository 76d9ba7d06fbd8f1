#include <benchmark/benchmark.h>

#include <string>

#include "core/logs/training_log.h"

namespace commcost {
namespace {

/// A log of Megatron-LM of 10,000 steps, among twice as many other lines: 3.6 MB.
void training_log_of_10000_steps(benchmark::State& state) {
  std::string text = "  seq_length ...................................... 4096\n";
  for (int step = 1; step <= 10000; ++step) {
    text +=
        " [2025-08-01 07:19:37] iteration " + std::to_string(step) +
        "/   10000 | consumed samples: 128 | elapsed time per iteration (ms): 12936.1 | throughput per GPU "
        "(TFLOP/s/GPU): 400.1 | learning rate: 6.97E-08 | global batch size:   128 | lm loss: 1.04E+01 |\n";
    text += "(min, max) time across ranks (ms):\n";
    text += "    forward-backward ...............................: (12000.10, 12010.20)\n";
  }
  for (auto _ : state) benchmark::DoNotOptimize(read_training_log(text));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(training_log_of_10000_steps)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace commcost
