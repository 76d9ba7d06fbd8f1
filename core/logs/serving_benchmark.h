#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/outcome.h"
#include "core/logs/json_scanner.h"
#include "core/logs/log_lines.h"

namespace commcost {

/// Which tool drove the server.
enum class BenchmarkTool {
  vllm,        ///< vllm bench serve, benchmark_serving.py
  sglang,      ///< sglang.bench_serving
  genai_perf,  ///< GenAI-Perf, and AIPerf after it
  guidellm,
};
inline constexpr std::string_view benchmark_tool_names[] = {"vllm", "sglang", "genai_perf", "guidellm"};

/// A benchmark's figures for a time of its requests, ms; 0 if it has none.
struct BenchmarkTimes {
  double mean_ms = 0;
  double p50_ms = 0;
  double p99_ms = 0;
};

/// One load that a benchmark put on a server; 0 if it does not say.
struct BenchmarkRun {
  BenchmarkTool tool = BenchmarkTool::vllm;
  double line = 0;              ///< where it begins, from 1
  std::string model;            ///< as it calls it
  double requests_per_sec = 0;  ///< that it sent; 0: as many as it could
  double max_concurrency = 0;   ///< that it kept in flight at most; 0: no limit
  double completed = 0;         ///< requests
  double failed = 0;
  double duration_s = 0;
  double prompt_tokens = 0;  ///< mean of a request
  double output_tokens = 0;
  double answered_per_sec = 0;  ///< requests
  double output_tokens_per_sec = 0;
  BenchmarkTimes first_token;  ///< TTFT
  BenchmarkTimes token;        ///< TPOT: of each request, the mean time per output token after the first
  BenchmarkTimes request;      ///< until the last token
};

struct ServingBenchmark {
  std::vector<BenchmarkRun> runs;
  std::vector<LogProblem> problems;
};

/// Reads the output of tools that measure a server under load (JSON, or a JSON object per line), in pieces.
class ServingBenchmarkReader {
 public:
  /// Takes the next piece, which may end anywhere.
  void read(std::string_view piece);
  /// The result of all pieces; a problem if there is no run with a latency.
  Outcome<ServingBenchmark> finished() &&;

 private:
  // A run as it is read: which tools' fields it had, and what several of them give together.
  struct Draft {
    BenchmarkRun run;
    double tool_votes[std::size(benchmark_tool_names)] = {};
    double input_tokens = 0;  // of all requests
    double output_tokens = 0;
    std::string strategy;
    double streams = 0;

    bool empty() const;
  };

  void take(const JsonPlace& place);
  void end_run();

  JsonScanner scanner_;
  Draft draft_;
  std::string shared_model_;  // of all benchmarks of a file
  ServingBenchmark found_;
};

}  // namespace commcost
