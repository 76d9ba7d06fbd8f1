#include "core/logs/step_lines.h"

#include <algorithm>

#include "core/logs/log_words.h"

namespace commcost {
namespace {

std::optional<StepLine> megatron_line(std::string_view line) {
  const auto time = number_after(line, {"elapsed time per iteration (ms)"});
  const auto step = number_after(line, {"iteration"});
  if (!time || !step) return std::nullopt;
  return StepLine{*step, *time, 0, 0, 0, number_after(line, {"global batch size"}).value_or(0)};
}

std::optional<StepLine> nanotron_line(std::string_view line) {
  const auto time = number_after(line, {"elapsed_time_per_iteration_ms"});
  const auto step = number_after(line, {"iteration"});
  if (!time || !step) return std::nullopt;
  return StepLine{*step, *time,
                  0,     number_after(line, {"tokens_per_sec"}).value_or(0),
                  0,     number_after(line, {"global_batch_size"}).value_or(0)};
}

std::optional<StepLine> torchtitan_line(std::string_view line) {
  const auto rate = number_after(line, {"tps", "wps"});
  const auto step = number_after(line, {"step"});
  if (!rate || !step) return std::nullopt;
  return StepLine{*step, 0, 0, 0, *rate, 0};
}

std::optional<StepLine> deepspeed_line(std::string_view line) {
  const auto rate = number_after(line, {"CurrSamplesPerSec", "SamplesPerSec"});
  if (!rate) return std::nullopt;
  auto step = number_after(line, {"global_step"});
  // Earlier than 0.8: "0/40, SamplesPerSec=...".
  if (const std::size_t slash = line.rfind("/", line.find("SamplesPerSec")); !step && slash != line.npos)
    step = number_at(line, slash + 1);
  if (!step) return std::nullopt;
  return StepLine{*step, 0, *rate, 0, 0, 0};
}

// Of its pipelines: "steps: 10 loss: 7.2 iter time (s): 0.4 samples/sec: 79.9".
std::optional<StepLine> deepspeed_pipeline_line(std::string_view line) {
  const auto seconds = number_after(line, {"iter time (s)"});
  const auto step = number_after(line, {"steps"});
  if (!seconds || !step) return std::nullopt;
  return StepLine{*step, 1e3 * *seconds, 0, 0, 0, 0};
}

std::optional<StepLine> nemo_line(std::string_view line) {
  const auto seconds = number_after(line, {"train_step_timing in s"});
  const auto step = number_after(line, {"global_step"});
  if (!seconds || !step) return std::nullopt;
  return StepLine{*step, 1e3 * *seconds, 0, 0, 0, 0};
}

}  // namespace

const StepFormat step_formats[step_format_count] = {
    {TrainingStack::megatron, "elapsed time per iteration", megatron_line},
    {TrainingStack::nanotron, "elapsed_time_per_iteration_ms", nanotron_line},
    {TrainingStack::nemo, "train_step_timing in s", nemo_line},
    {TrainingStack::deepspeed, "iter time (s)", deepspeed_pipeline_line},
    {TrainingStack::torchtitan, "tps:", torchtitan_line},
    {TrainingStack::torchtitan, "wps:", torchtitan_line},
    {TrainingStack::deepspeed, "CurrSamplesPerSec", deepspeed_line},
    {TrainingStack::deepspeed, "SamplesPerSec", deepspeed_line},
};

StepRuns::Taken StepRuns::take(const PlacedStep& step) {
  if (last_run_.empty() || step.says.step > last_run_.back().says.step) {
    last_run_.push_back(step);
    return Taken::step;
  }
  const PlacedStep& last = last_run_.back();
  if (step.says.step == last.says.step) return Taken::repeated;
  // Another rank's lines may come later than they were written; a job that starts again is never earlier.
  if (step.clock_ms && last.clock_ms && *step.clock_ms < *last.clock_ms) {
    const auto at =
        std::lower_bound(last_run_.begin(), last_run_.end(), step.says.step,
                         [](const PlacedStep& one, double number) { return one.says.step < number; });
    return at->says.step == step.says.step ? Taken::repeated : Taken::out_of_order;
  }
  earlier_.push_back({last_run_.front().line, last.line, static_cast<double>(last_run_.size())});
  last_run_.assign(1, step);
  return Taken::new_run;
}

}  // namespace commcost
