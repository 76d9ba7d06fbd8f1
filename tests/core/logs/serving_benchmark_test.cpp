#include "core/logs/serving_benchmark.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "support/files.h"

namespace commcost {
namespace {

// As each tool writes it, cut down; the fuzzer's seeds.
std::string written_by(const std::string& tool) {
  std::ifstream file(test::data_file("../fuzz/seeds/benchmark/" + tool));
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Outcome<ServingBenchmark> read_benchmark(std::string_view text, std::size_t piece = 1 << 20) {
  ServingBenchmarkReader reader;
  for (std::size_t at = 0; at < text.size(); at += piece) reader.read(text.substr(at, piece));
  return std::move(reader).finished();
}

TEST(ServingBenchmark, OfVllm) {
  const auto found = read_benchmark(written_by("vllm"));
  ASSERT_TRUE(found);
  ASSERT_EQ(found->runs.size(), 1u);
  const BenchmarkRun& run = found->runs[0];
  EXPECT_EQ(run.tool, BenchmarkTool::vllm);
  EXPECT_EQ(run.model, "meta-llama/Llama-3.3-70B-Instruct");
  EXPECT_EQ(run.requests_per_sec, 0);  // "inf"
  EXPECT_EQ(run.max_concurrency, 32);
  EXPECT_EQ(run.completed, 400);
  EXPECT_EQ(run.prompt_tokens, 1024);
  EXPECT_EQ(run.output_tokens, 256);
  EXPECT_EQ(run.answered_per_sec, 6);
  EXPECT_EQ(run.output_tokens_per_sec, 1535.2);
  EXPECT_EQ(run.duration_s, 66.7);
  EXPECT_EQ(run.first_token.p50_ms, 180.2);
  EXPECT_EQ(run.first_token.p99_ms, 512.9);
  EXPECT_EQ(run.token.mean_ms, 20.3);
  EXPECT_EQ(run.token.p50_ms, 20.1);
  EXPECT_EQ(run.request.p99_ms, 6100.7);
  EXPECT_TRUE(found->problems.empty());
}

TEST(ServingBenchmark, OfSglangARunALine) {
  const auto found = read_benchmark(written_by("sglang"));
  ASSERT_TRUE(found);
  ASSERT_EQ(found->runs.size(), 2u);
  EXPECT_EQ(found->runs[0].tool, BenchmarkTool::sglang);
  EXPECT_EQ(found->runs[0].requests_per_sec, 4);
  EXPECT_EQ(found->runs[0].max_concurrency, 0);
  EXPECT_EQ(found->runs[0].request.p50_ms, 3880.5);
  EXPECT_EQ(found->runs[1].line, 2);
  EXPECT_EQ(found->runs[1].requests_per_sec, 0);  // Infinity
  EXPECT_EQ(found->runs[1].max_concurrency, 64);
  EXPECT_EQ(found->runs[1].token.p99_ms, 33);
}

TEST(ServingBenchmark, OfGenaiPerf) {
  const auto found = read_benchmark(written_by("genai_perf"));
  ASSERT_TRUE(found);
  ASSERT_EQ(found->runs.size(), 1u);
  const BenchmarkRun& run = found->runs[0];
  EXPECT_EQ(run.tool, BenchmarkTool::genai_perf);
  EXPECT_EQ(run.model, "meta-llama/Llama-3.3-70B-Instruct");
  EXPECT_EQ(run.max_concurrency, 10);
  EXPECT_EQ(run.completed, 150);
  EXPECT_EQ(run.prompt_tokens, 1024);
  EXPECT_EQ(run.output_tokens, 255);
  EXPECT_EQ(run.answered_per_sec, 2.5);
  EXPECT_EQ(run.first_token.p50_ms, 140.8);
  EXPECT_EQ(run.token.p99_ms, 17.9);
  EXPECT_EQ(run.request.mean_ms, 3990.1);
}

// Its time per output token counts the first token: TPOT is what it calls inter-token latency. Requests that
// it lists one by one are no runs.
TEST(ServingBenchmark, OfGuidellmARunABenchmark) {
  const auto found = read_benchmark(written_by("guidellm"));
  ASSERT_TRUE(found);
  ASSERT_EQ(found->runs.size(), 2u);
  const BenchmarkRun& alone = found->runs[0];
  EXPECT_EQ(alone.tool, BenchmarkTool::guidellm);
  EXPECT_EQ(alone.model, "meta-llama/Llama-3.3-70B-Instruct");
  EXPECT_EQ(alone.max_concurrency, 1);
  EXPECT_EQ(alone.token.p50_ms, 13.2);
  EXPECT_EQ(alone.request.p99_ms, 3600);
  EXPECT_EQ(alone.completed, 17);
  const BenchmarkRun& sent = found->runs[1];
  EXPECT_EQ(sent.requests_per_sec, 2.5);
  EXPECT_EQ(sent.max_concurrency, 0);
  EXPECT_EQ(sent.failed, 2);
  EXPECT_EQ(sent.first_token.p99_ms, 210.2);
}

TEST(ServingBenchmark, TheSameInPiecesOfAnyLength) {
  for (const char* tool : {"vllm", "sglang", "genai_perf", "guidellm"}) {
    const std::string text = written_by(tool);
    const auto whole = read_benchmark(text);
    ASSERT_TRUE(whole) << tool;
    for (const std::size_t piece : {1u, 7u, 64u}) {
      const auto found = read_benchmark(text, piece);
      ASSERT_TRUE(found);
      ASSERT_EQ(found->runs.size(), whole->runs.size());
      for (std::size_t at = 0; at < whole->runs.size(); ++at) {
        EXPECT_EQ(found->runs[at].model, whole->runs[at].model);
        EXPECT_EQ(found->runs[at].token.p50_ms, whole->runs[at].token.p50_ms);
        EXPECT_EQ(found->runs[at].answered_per_sec, whole->runs[at].answered_per_sec);
      }
    }
  }
}

// A run that was cut off says so, and those before it stay.
TEST(ServingBenchmark, SaysWhatIsMissing) {
  std::string text = written_by("sglang");
  text.resize(text.size() - 40);
  const auto cut = read_benchmark(text);
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->runs.size(), 1u);
  ASSERT_EQ(cut->problems.size(), 1u);
  EXPECT_EQ(cut->problems[0].line, 2);
  for (const char* none :
       {"", "{}", "[]", "hello", "{\"backend\": \"vllm\"}", "{\"a\": [1, 2}", "\"text\""}) {
    const auto found = read_benchmark(none);
    ASSERT_FALSE(found) << none;
    EXPECT_EQ(found.problems()[0].field, "benchmark");
  }
}

// Nothing that is no number becomes one, and no limit is 0.
TEST(ServingBenchmark, OddNumbersAreNone) {
  const auto found = read_benchmark(
      R"({"model_id": "m", "request_rate": "trace", "max_concurrency": null, "completed": -3, "duration": NaN,
          "median_tpot_ms": 12.5, "median_ttft_ms": Infinity, "request_throughput": true})");
  ASSERT_TRUE(found);
  const BenchmarkRun& run = found->runs[0];
  EXPECT_EQ(run.requests_per_sec, 0);
  EXPECT_EQ(run.max_concurrency, 0);
  EXPECT_EQ(run.completed, 0);
  EXPECT_EQ(run.duration_s, 0);
  EXPECT_EQ(run.first_token.p50_ms, 0);
  EXPECT_EQ(run.answered_per_sec, 0);
  EXPECT_EQ(run.token.p50_ms, 12.5);
}

}  // namespace
}  // namespace commcost
