// The reader of benchmarks of servers on arbitrary bytes, whole and in two pieces.

#include "core/logs/serving_benchmark.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace commcost;
  using fuzz::require;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ServingBenchmarkReader whole;
  whole.read(text);
  const Outcome<ServingBenchmark> found = std::move(whole).finished();
  ServingBenchmarkReader halves;
  halves.read(text.substr(0, size / 2));
  halves.read(text.substr(size / 2));
  const Outcome<ServingBenchmark> again = std::move(halves).finished();
  require(static_cast<bool>(found) == static_cast<bool>(again));
  if (!found) return 0;
  require(!found->runs.empty() && found->runs.size() == again->runs.size());
  for (std::size_t at = 0; at < found->runs.size(); ++at) {
    const BenchmarkRun& run = found->runs[at];
    require(run.line >= 1 && run.line == again->runs[at].line);
    for (const double number :
         {run.requests_per_sec, run.max_concurrency, run.completed, run.failed, run.prompt_tokens,
          run.output_tokens, run.answered_per_sec, run.output_tokens_per_sec, run.duration_s})
      require(std::isfinite(number) && number >= 0);
    for (const BenchmarkTimes& times : {run.first_token, run.token, run.request})
      for (const double ms : {times.mean_ms, times.p50_ms, times.p99_ms})
        require(std::isfinite(ms) && ms >= 0);
  }
  return 0;
}
