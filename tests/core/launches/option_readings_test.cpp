// What each option of each stack makes of small numbers, beside six jobs, and what it says of drawn ones,
// when it was last looked at: tests/data/option_readings.txt, a line each. COMMCOST_RECORD=1 core_tests
// --gtest_filter='OptionReadings*' writes it anew. That options are the stacks' own, other tests say, from
// their sources.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "core/base/number_text.h"
#include "core/launches/launch_stack.h"
#include "support/files.h"
#include "support/launched_jobs.h"
#include "support/random_jobs.h"
#include "support/recorded_lines.h"

namespace commcost {
namespace {

const LaunchStack* const stacks[] = {
    &megatron_lm_launches, &megatron_bridge_launches, &torchtitan_launches,  &deepspeed_launches,
    &vllm_launches,        &sglang_launches,          &tensorrt_llm_launches};
constexpr std::string_view values[] = {"-1", "0", "1", "2", "3", "8", "0.5", "true", "x"};

std::string spelled(const Value& value) {
  if (const bool* flag = value.flag()) return *flag ? "on" : "off";
  if (const double* number = value.number()) return text_of(*number);
  if (const std::string* text = value.text()) return *text;
  return "...";
}

Value::Object inputs_of(const LaunchedJob& launched) {
  Value::Object inputs = test::inputs_of(launched.job);
  inputs.push_back({"step_tokens", static_cast<double>(launched.step_tokens)});
  inputs.push_back({"chunked_prefill", launched.chunked_prefill});
  inputs.push_back({"memory_share", launched.memory_share});
  return inputs;
}

// " name=value" of each input that is another now.
std::string differences(const LaunchedJob& before, const LaunchedJob& after) {
  const Value::Object was = inputs_of(before);
  const Value::Object is = inputs_of(after);
  std::string all;
  for (std::size_t at = 0; at < is.size(); ++at) {
    const std::string text = spelled(is[at].value);
    if (text != spelled(was[at].value)) all += " " + is[at].name + "=" + text;
  }
  return all;
}

std::string readings(const StackOption& option, const LaunchedJob& base) {
  constexpr std::string_view words[] = {"no", "", "partly", "silent"};
  std::string all;
  for (const std::string_view value : values) {
    LaunchedJob launched = base;
    const Taken taken = option.read(launched, value);
    all += "; " + std::string(value) + ":";
    const std::string_view word = words[static_cast<std::size_t>(taken)];
    if (!word.empty()) all += " " + std::string(word);
    if (taken != Taken::no) all += differences(base, launched);
  }
  return all;
}

std::string written(const StackOption& option, const std::vector<LaunchedJob>& jobs) {
  std::vector<std::string> all;
  for (const LaunchedJob& launched : jobs) {
    const bool applies = option.applies == nullptr || option.applies(launched);
    all.push_back(applies ? option.write(launched) : "-");
  }
  if (std::count(all.begin(), all.end(), all[0]) == std::ssize(all)) return " always " + all[0];
  std::string text;
  for (const std::string& one : all) text += " " + one;
  return text;
}

// A pipeline of chunks, once without experts and once with them.
LaunchedJob piped(std::string_view model) {
  LaunchedJob launched = test::launched_model(model, "megatron-core");
  launched.job.layout.pipeline_parallel = 4;
  launched.job.layout.virtual_stages = 2;
  launched.job.layout.tensor_parallel = 2;
  return launched;
}

// One layer, of one sequence of one token on one GPU.
LaunchedJob least() {
  LaunchedJob launched = test::launched_model("llama-3.1-8b", "megatron-core");
  launched.job.model.num_layers = 1;
  launched.job.work.sequence_length = 1;
  launched.job.work.global_batch_size = 1;
  launched.job.layout = Layout();
  launched.job = completed(launched.job);
  return launched;
}

std::vector<std::string> lines() {
  std::vector<std::string> all;
  for (const LaunchStack* stack : stacks) {
    const std::vector<LaunchedJob> drawn = test::launched_jobs(5, 24, {}, stack->serves);
    std::vector<LaunchedJob> bases = {piped("llama-3.1-8b"), piped("mixtral-8x7b"), least()};
    bases.insert(bases.end(), drawn.begin(), drawn.begin() + 3);
    for (const StackOption& option : stack->options) {
      const std::string name = std::string(stack->name) + " " + std::string(option.name);
      std::set<std::string> different;
      for (std::size_t base = 0; base < bases.size() && option.read != nullptr; ++base) {
        const std::string read = readings(option, bases[base]);
        if (different.insert(read).second) all.push_back(name + ", job " + std::to_string(base) + read);
      }
      if (option.write != nullptr) all.push_back(name + " written:" + written(option, drawn));
    }
  }
  return all;
}

TEST(OptionReadings, AreWhatTheyWere) {
  const std::string path = test::data_file("option_readings.txt");
  const std::vector<std::string> now = lines();
  if (std::getenv("COMMCOST_RECORD") != nullptr) {
    std::ofstream out(path);
    for (const std::string& line : now) out << line << '\n';
  }
  const std::vector<std::string> before = test::recorded_lines(path);
  ASSERT_GT(before.size(), 100u);
  EXPECT_EQ(now.size(), before.size());
  for (std::size_t at = 0; at < std::min(now.size(), before.size()); ++at) ASSERT_EQ(now[at], before[at]);
}

}  // namespace
}  // namespace commcost
