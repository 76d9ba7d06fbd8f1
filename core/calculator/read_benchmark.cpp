#include <string>

#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/logs/serving_benchmark.h"

namespace commcost::calculations {
namespace read_benchmark_table {

/// What read_benchmark takes.
struct BenchmarkInputs {
  std::string benchmark;
  ServingBenchmarkReader reader;
};

using Inputs = BenchmarkInputs;
using Results = ServingBenchmark;
using Run = BenchmarkRun;

// Per call; longer texts arrive in pieces.
constexpr double longest_benchmark = 16e6;

constexpr InputField fields[] = {
    text<&Inputs::benchmark>(
        longest_benchmark, "JSON that vllm bench serve, sglang.bench_serving, GenAI-Perf or GuideLLM wrote"),
};

constexpr FieldGroup groups[] = {group<Inputs>(fields)};

constexpr ResultField time_columns[] = {
    result<&BenchmarkTimes::mean_ms>("The mean; 0: not stated"),
    result<&BenchmarkTimes::p50_ms>("The median; 0: not stated"),
    result<&BenchmarkTimes::p99_ms>("99th percentile; 0: not stated"),
};

constexpr ResultField run_columns[] = {
    choice_result<&Run::tool>(benchmark_tool_names, "The tool that wrote it"),
    whole_result<&Run::line>("The line on which the run begins, from 1"),
    result<&Run::model>("The model, as the tool names it"),
    result<&Run::requests_per_sec>("Requests sent per second; 0: no rate limit").in("1/s"),
    whole_result<&Run::max_concurrency>("Maximum number of requests in flight; 0: no limit").in("requests"),
    whole_result<&Run::completed>("Requests that were answered").in("requests"),
    whole_result<&Run::failed>("Requests that failed").in("requests"),
    result<&Run::duration_s>("Duration of the run; 0: not stated"),
    result<&Run::prompt_tokens>("Mean input length (ISL); 0: not stated").in("tokens"),
    result<&Run::output_tokens>("Mean output length (OSL); 0: not stated").in("tokens"),
    result<&Run::answered_per_sec>("Requests answered per second; 0: not stated").in("1/s"),
    result<&Run::output_tokens_per_sec>("Output tokens per second; 0: not stated"),
    object_result<&Run::first_token>(time_columns, "TTFT"),
    object_result<&Run::token>(time_columns,
                               "TPOT: for each request, the mean time per output token after the first"),
    object_result<&Run::request>(time_columns, "Time from sending a request to its last token"),
};

constexpr ResultField problem_columns[] = {
    whole_result<&LogProblem::line>("The first such line, from 1"),
    whole_result<&LogProblem::lines>("Consecutive lines with this problem"),
    result<&LogProblem::message>("The problem"),
    result<&LogProblem::text>("The first of them, cut short"),
};

constexpr ResultField results[] = {
    rows_result<&Results::runs>(run_columns, "Each load that the benchmark put on the server"),
    rows_result<&Results::problems>(problem_columns, "Lines that were not read"),
};

Outcome<Results> compute(const Inputs& inputs) {
  ServingBenchmarkReader reader = inputs.reader;
  reader.read(inputs.benchmark);
  return std::move(reader).finished();
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "read_benchmark", "TTFT, TPOT and throughput at each rate, from the benchmark of a server", groups,
    &text_in_pieces<&Inputs::benchmark, &Inputs::reader>);

}  // namespace read_benchmark_table

const Calculation read_benchmark = read_benchmark_table::table;

}  // namespace commcost::calculations
