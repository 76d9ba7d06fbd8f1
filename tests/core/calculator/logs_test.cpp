// Logs as the outside gives them: in pieces, and with what training_step takes of them.

#include <gtest/gtest.h>

#include <string>

#include "core/calculator/calculations.h"
#include "core/calculator/engine.h"
#include "support/typical_inputs.h"
#include "support/values.h"

namespace commcost {
namespace {

using test::bytes_of;

std::string steps() {
  std::string text;
  for (int step = 1; step <= 12; ++step)
    text += " iteration " + std::to_string(step) +
            "/ 500 | elapsed time per iteration (ms): " + std::to_string(1000 + step) +
            " | global batch size: 128 |\n";
  return text;
}

std::string table() {
  std::string text = "# all_reduce_perf\n# Rank 7 Pid 1 on host device 7\n";
  for (double size = 1024; size < 1e9; size *= 4) {
    const double us = 20 + size / 1e5;
    text += text_of(size) + " " + text_of(size / 4) + " float sum -1 " + text_of(us) + " " +
            text_of(size / us / 1e3) + " " + text_of(1.75 * size / us / 1e3) + " 0\n";
  }
  return text;
}

std::string samples() {
  std::string text =
      "index, clocks.current.sm [MHz], clocks.max.sm [MHz], power.draw [W], enforced.power.limit [W]\n";
  for (int sample = 0; sample < 40; ++sample)
    text += std::to_string(sample % 8) + ", " + std::to_string(1200 + sample) +
            " MHz, 1410 MHz, 391.20 W, 400.00 W\n";
  return text;
}

std::string benchmark() {
  std::string text;
  for (int rate = 1; rate < 20; ++rate)
    text +=
        "{\"backend\": \"sglang\", \"dataset_name\": \"random\", \"request_rate\": " + std::to_string(rate) +
        ".0, \"completed\": 100, \"median_ttft_ms\": 80.5, \"median_tpot_ms\": " + std::to_string(10 + rate) +
        ".25, \"ttfts\": [0.1, 0.2], \"itls\": [[0.01], [0.02, 0.03]]}\n";
  return text;
}

// What each calculation that takes pieces reads.
std::string text_for(std::string_view calculation) {
  if (calculation == "fit_collective") return table();
  if (calculation == "read_benchmark") return benchmark();
  return calculation == "read_gpu_samples" ? samples() : steps();
}

// Of pieces of so many bytes, the last one among the inputs.
Outcome<Value> in_pieces(std::string_view name, const std::string& text, std::size_t size) {
  const Calculation& calculation = *find_calculation(name);
  const std::unique_ptr<TextReader> reader = calculation.pieces->open();
  std::size_t at = 0;
  for (; at + size < text.size(); at += size) reader->read(std::string_view(text).substr(at, size));
  WireBytes given;
  WireWriter(given).value(Value::Object{{std::string(calculation.pieces->field), text.substr(at)}});
  WireBytes results;
  WireWriter to(results);
  Problems problems = run(calculation, WireReader(given), to, reader.get());
  if (!problems.empty()) return problems;
  WireReader from(results);
  return read_value(from, calculation.results);
}

TEST(LogsInPieces, AreWhatTheyAreAtOnce) {
  std::size_t tried = 0;
  for (const Calculation* calculation : all_calculations()) {
    if (calculation->pieces == nullptr) continue;
    ++tried;
    const std::string text = text_for(calculation->name);
    const Outcome<Value> whole =
        run(calculation->name, Value::Object{{std::string(calculation->pieces->field), text}});
    ASSERT_TRUE(whole) << whole.problems().front().message;
    for (const std::size_t size : {1u, 100u, 65536u}) {
      const Outcome<Value> pieces = in_pieces(calculation->name, text, size);
      ASSERT_TRUE(pieces);
      EXPECT_EQ(bytes_of(*pieces), bytes_of(*whole)) << calculation->name << size;
    }
  }
  EXPECT_EQ(tried, 4u);
}

TEST(LogsInPieces, NeedNoLastOneAmongTheInputs) {
  const Calculation& calculation = *find_calculation("read_training_log");
  const std::unique_ptr<TextReader> reader = calculation.pieces->open();
  reader->read(steps());
  WireBytes given;
  WireWriter(given).value(Value::Object{});
  WireBytes results;
  WireWriter to(results);
  EXPECT_TRUE(run(calculation, WireReader(given), to, reader.get()).empty());
  // Without any piece it is as missing as ever.
  EXPECT_EQ(run(calculation, WireReader(given), to).front().code, ProblemCode::missing);
}

// What a log says goes to training_step as it is: nothing among it may be out of that one's ranges.
TEST(ReadTrainingLog, GivesWhatAStepTakes) {
  const std::string absurd =
      "  tensor_model_parallel_size ... 1e12\n  micro_batch_size .... 1e11\n  seq_length ... 4096\n"
      "  data_parallel_size .... 8\n  recompute_granularity ... full\n  sequence_parallel ... True\n"
      "  world_size .... 1e12\n";
  const Outcome<Value> log = run("read_training_log", Value::Object{{"training_log", absurd + steps()}});
  ASSERT_TRUE(log);
  Value::Object inputs = *log->find("inputs")->object();
  EXPECT_EQ(log->find("inputs")->find("tensor_parallel"), nullptr);
  EXPECT_EQ(log->find("inputs")->find("cluster_gpus"), nullptr);
  EXPECT_EQ(*log->find("inputs")->find("sequence_length")->number(), 4096);
  EXPECT_EQ(log->find("found")->list()->size(), inputs.size());
  std::string named;
  for (const Value& problem : *log->find("problems")->list())
    named +=
        text_of(*problem.find("line")->number()) + ":" + problem.find("message")->text()->substr(0, 20) + " ";
  EXPECT_EQ(named, "1:tensor_parallel must 2:batch_size must be a 7:cluster_gpus must be ");
  inputs.push_back({"model", "llama-2-7b"});
  inputs.push_back({"system", "dgx-h100"});
  const Outcome<Value> step = run("training_step", inputs);
  if (step) return;
  for (const Problem& problem : step.problems()) {
    EXPECT_NE(problem.code, ProblemCode::out_of_range) << problem.message;
    EXPECT_NE(problem.code, ProblemCode::wrong_type) << problem.message;
    EXPECT_NE(problem.code, ProblemCode::not_whole) << problem.message;
  }
}

TEST(MeasuredSteps, AreNumbersAboveZero) {
  Value::Object inputs = test::typical_inputs(calculations::diagnose);
  std::erase_if(inputs, [](const Member& member) { return member.name == "step_times_ms"; });
  inputs.push_back({"step_times_ms", Value::Numbers{100, 0.5, 0, -1}});
  const Outcome<Value> found = run("diagnose", inputs);
  ASSERT_FALSE(found);
  ASSERT_EQ(found.problems().size(), 1u);
  EXPECT_EQ(found.problems()[0].message, "step_times_ms must hold numbers above 0; got 0");
}

}  // namespace
}  // namespace commcost
