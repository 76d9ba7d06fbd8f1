#include "core/logs/serving_benchmark.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/number_text.h"

namespace commcost {
namespace {

using Times = BenchmarkTimes;
using Run = BenchmarkRun;

// Of vLLM and SGLang, whose fields with the same names mean the same.
struct OfEither {
  std::string_view path;
  double Run::*number;
};

constexpr OfEither either_fields[] = {
    {"request_rate", &Run::requests_per_sec},
    {"max_concurrency", &Run::max_concurrency},
    {"completed", &Run::completed},
    {"failed", &Run::failed},
    {"duration", &Run::duration_s},
    {"request_throughput", &Run::answered_per_sec},
    {"output_throughput", &Run::output_tokens_per_sec},
};

struct TimesName {
  std::string_view name;
  Times Run::*times;
};

constexpr TimesName either_times[] = {
    {"ttft_ms", &Run::first_token},
    {"tpot_ms", &Run::token},
    {"e2el_ms", &Run::request},
    {"e2e_latency_ms", &Run::request},
};

struct Statistic {
  std::string_view name;
  double Times::*number;
};

constexpr Statistic either_statistics[] = {
    {"mean_", &Times::mean_ms},
    {"median_", &Times::p50_ms},
    {"p50_", &Times::p50_ms},
    {"p99_", &Times::p99_ms},
};

// Keys that only one tool writes at the outermost level.
struct OfOneTool {
  std::string_view path;
  BenchmarkTool tool;
};

constexpr OfOneTool telling[] = {
    {"model_id", BenchmarkTool::vllm},
    {"num_prompts", BenchmarkTool::vllm},
    {"burstiness", BenchmarkTool::vllm},
    {"total_token_throughput", BenchmarkTool::vllm},
    {"mean_e2el_ms", BenchmarkTool::vllm},
    {"dataset_name", BenchmarkTool::sglang},
    {"random_input_len", BenchmarkTool::sglang},
    {"input_throughput", BenchmarkTool::sglang},
    {"mean_e2e_latency_ms", BenchmarkTool::sglang},
    {"total_output_tokens_retokenized", BenchmarkTool::sglang},
};

constexpr TimesName genai_times[] = {
    {"time_to_first_token", &Run::first_token},
    {"inter_token_latency", &Run::token},
    {"request_latency", &Run::request},
};
constexpr Statistic genai_statistics[] = {
    {"avg", &Times::mean_ms},
    {"p50", &Times::p50_ms},
    {"p99", &Times::p99_ms},
};
constexpr OfEither genai_fields[] = {
    {"request_throughput.avg", &Run::answered_per_sec},
    {"output_token_throughput.avg", &Run::output_tokens_per_sec},
    {"input_sequence_length.avg", &Run::prompt_tokens},
    {"output_sequence_length.avg", &Run::output_tokens},
    {"request_count.avg", &Run::completed},
    {"error_request_count.avg", &Run::failed},
    {"input_config.concurrency", &Run::max_concurrency},
    {"input_config.request_rate", &Run::requests_per_sec},
    {"input_config.perf_analyzer.stimulus.concurrency", &Run::max_concurrency},
    {"input_config.perf_analyzer.stimulus.request_rate", &Run::requests_per_sec},
    {"input_config.loadgen.concurrency", &Run::max_concurrency},
    {"input_config.loadgen.request_rate", &Run::requests_per_sec},
};

// From one of GuideLLM's benchmarks. Its time per output token includes the first one; its inter-token
// latency is what others call TPOT.
constexpr TimesName guidellm_times[] = {
    {"time_to_first_token_ms", &Run::first_token},
    {"inter_token_latency_ms", &Run::token},
    {"request_latency", &Run::request},
};
constexpr Statistic guidellm_statistics[] = {
    {"mean", &Times::mean_ms},
    {"median", &Times::p50_ms},
    {"percentiles.p50", &Times::p50_ms},
    {"percentiles.p99", &Times::p99_ms},
};
constexpr OfEither guidellm_fields[] = {
    {"duration", &Run::duration_s},
    {"metrics.requests_per_second.successful.mean", &Run::answered_per_sec},
    {"metrics.output_tokens_per_second.successful.mean", &Run::output_tokens_per_sec},
    {"metrics.prompt_token_count.successful.mean", &Run::prompt_tokens},
    {"metrics.output_token_count.successful.mean", &Run::output_tokens},
    {"metrics.request_totals.successful", &Run::completed},
    {"metrics.request_totals.errored", &Run::failed},
    {"run_stats.requests_made.successful", &Run::completed},
    {"run_stats.requests_made.errored", &Run::failed},
    {"scheduler_metrics.requests_made.successful", &Run::completed},
    {"scheduler_metrics.requests_made.errored", &Run::failed},
};
constexpr std::string_view guidellm_run = "benchmarks[]";
// Where its releases keep the request settings.
constexpr std::string_view guidellm_strategies[] = {"config.strategy", "args.strategy", "scheduler.strategy"};

// What files call their model.
constexpr std::string_view model_paths[] = {
    "model_id",
    "server_info.model_path",
    "input_config.model[]",
    "input_config.model_names[]",
    "input_config.endpoint.model_names[]",
    "args.model",
    "args.processor",
    "args.backend_kwargs.model",
};
constexpr std::string_view guidellm_models[] = {"config.backend.model", "args.backend.model",
                                                "worker.backend_model"};

// The rest of a text that begins so; nothing where it does not.
std::optional<std::string_view> after(std::string_view text, std::string_view begin) {
  if (text.substr(0, begin.size()) != begin) return std::nullopt;
  return text.substr(begin.size());
}

// A finite number of at least 0; "inf" and the like mean no limit, as 0 does.
double amount(std::string_view text) {
  const std::optional<double> number = parse_number(text);
  return number && std::isfinite(*number) && *number > 0 ? *number : 0;
}

template <class Fields>
double* field_of(const Fields& fields, std::string_view path, Run& run) {
  for (const auto& one : fields)
    if (one.path == path) return &(run.*one.number);
  return nullptr;
}

// "mean_" and "ttft_ms".
double* either_time(std::string_view path, Run& run) {
  for (const Statistic& statistic : either_statistics) {
    const auto rest = after(path, statistic.name);
    if (!rest) continue;
    for (const TimesName& one : either_times)
      if (one.name == *rest) return &((run.*one.times).*statistic.number);
  }
  return nullptr;
}

// "time_to_first_token", "." or ".successful." and "p99".
template <class Names, class Statistics>
double* time_of(const Names& names, const Statistics& statistics, std::string_view between,
                std::string_view path, Run& run) {
  for (const TimesName& one : names) {
    const auto rest = after(path, one.name);
    const auto statistic = rest ? after(*rest, between) : std::nullopt;
    if (!statistic) continue;
    for (const Statistic& known : statistics)
      if (known.name == *statistic) return &((run.*one.times).*known.number);
  }
  return nullptr;
}

Problem malformed_benchmark() {
  return {"benchmark", ProblemCode::malformed,
          "benchmark has no run with a latency: take the JSON file that the tool writes, not what it prints",
          "what vllm bench serve --save-result, sglang.bench_serving --output-file, GenAI-Perf or GuideLLM "
          "writes"};
}

}  // namespace

bool ServingBenchmarkReader::Draft::empty() const {
  const auto said = [](const Times& times) { return times.mean_ms > 0 || times.p50_ms > 0; };
  return !said(run.first_token) && !said(run.token);
}

void ServingBenchmarkReader::read(std::string_view piece) {
  scanner_.read(piece, [this](const JsonPlace& place) { take(place); });
}

void ServingBenchmarkReader::take(const JsonPlace& place) {
  const auto& [kind, path, text] = place;
  if (kind == JsonPlace::Kind::end_of_one) {
    if (path.empty() || path == guidellm_run || path == "[]") end_run();
    return;
  }
  Run& run = draft_.run;
  // A list of runs is read as its runs.
  std::string_view own = path;
  if (const auto rest = after(path, "[].")) own = *rest;
  if (std::find(std::begin(model_paths), std::end(model_paths), own) != std::end(model_paths)) {
    if (kind == JsonPlace::Kind::text && shared_model_.empty()) shared_model_ = text;
  }
  for (const OfOneTool& one : telling)
    if (one.path == own) ++draft_.tool_votes[static_cast<std::size_t>(one.tool)];
  if (own == "total_input_tokens") draft_.input_tokens = amount(text);
  if (own == "total_output_tokens") draft_.output_tokens = amount(text);
  double* number = field_of(either_fields, own, run);
  if (number == nullptr) number = either_time(own, run);
  if (number == nullptr) {
    number = field_of(genai_fields, own, run);
    if (number == nullptr) number = time_of(genai_times, genai_statistics, ".", own, run);
    if (number != nullptr) ++draft_.tool_votes[static_cast<std::size_t>(BenchmarkTool::genai_perf)];
  }
  if (number != nullptr) {
    *number = amount(text);
    return;
  }
  const auto in_benchmark = after(own, guidellm_run);
  if (!in_benchmark || in_benchmark->empty()) return;
  const std::string_view within = in_benchmark->substr(1);
  ++draft_.tool_votes[static_cast<std::size_t>(BenchmarkTool::guidellm)];
  if (kind == JsonPlace::Kind::text) {
    for (const std::string_view name : guidellm_models)
      if (within == name) run.model = text;
  }
  for (const std::string_view name : guidellm_strategies) {
    const auto rest = after(within, name);
    if (!rest) continue;
    if (rest->empty() || *rest == ".type_" || *rest == ".kind") draft_.strategy = text;
    if (*rest == ".rate") run.requests_per_sec = amount(text);
    if (*rest == ".streams" || *rest == ".max_concurrency") draft_.streams = amount(text);
    return;
  }
  number = field_of(guidellm_fields, within, run);
  if (number != nullptr) {
    *number = amount(text);
    return;
  }
  const auto metric = after(within, "metrics.");
  if (!metric) return;
  number = time_of(guidellm_times, guidellm_statistics, ".successful.", *metric, run);
  if (number == nullptr) return;
  const bool in_seconds = after(*metric, "request_latency").has_value();
  *number = amount(text) * (in_seconds ? 1e3 : 1);
}

void ServingBenchmarkReader::end_run() {
  if (draft_.empty()) {
    // Values nested in a run that has not ended are not runs.
    if (!scanner_.open()) draft_ = {};
    return;
  }
  Run& run = draft_.run;
  const auto* most = std::max_element(std::begin(draft_.tool_votes), std::end(draft_.tool_votes));
  run.tool = static_cast<BenchmarkTool>(most - std::begin(draft_.tool_votes));
  run.line = scanner_.first_line();
  if (run.model.empty()) run.model = shared_model_;
  if (run.completed > 0) {
    if (!(run.prompt_tokens > 0)) run.prompt_tokens = draft_.input_tokens / run.completed;
    if (!(run.output_tokens > 0)) run.output_tokens = draft_.output_tokens / run.completed;
  }
  if (draft_.strategy == "synchronous") run.max_concurrency = 1;
  if (draft_.streams > 0) run.max_concurrency = draft_.streams;
  // A rate in streams is not a rate: GuideLLM uses one word for both.
  if (draft_.strategy == "concurrent" || draft_.strategy == "throughput") run.requests_per_sec = 0;
  found_.runs.push_back(std::move(run));
  draft_ = {};
}

Outcome<ServingBenchmark> ServingBenchmarkReader::finished() && {
  if (!scanner_.good())
    note(found_.problems, scanner_.line(), "no JSON from here on: the rest is left out", "");
  else if (scanner_.open())
    note(found_.problems, scanner_.line(), "the file ends in the middle of a run, which is left out", "");
  if (found_.runs.empty()) return malformed_benchmark();
  return std::move(found_);
}

}  // namespace commcost
