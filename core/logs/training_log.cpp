#include "core/logs/training_log.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "core/base/statistics.h"
#include "core/logs/log_words.h"
#include "core/model/work.h"

namespace commcost {
namespace {

using enum LoggedField;

// The words for an input. A batch that grows is said by the lines of steps: the last holds.
struct Wording {
  LoggedField field;
  std::initializer_list<std::string_view> keys;
};

const Wording wordings[] = {
    {sequence_length, {"seq_length", "sequence_length", "sequence length", "encoder_seq_length", "seq_len"}},
    {batch_size,
     {"micro_batch_size", "local batch size", "train_micro_batch_size_per_gpu", "local_batch_size"}},
    {global_batch_size, {"global_batch_size", "global batch size", "train_batch_size"}},
    {tensor_parallel,
     {"tensor_model_parallel_size", "tensor-model-parallel size", "tp", "tensor_parallel_degree"}},
    {pipeline_parallel,
     {"pipeline_model_parallel_size", "pipeline-model-parallel size", "pp", "pipeline_parallel_degree"}},
    {context_parallel, {"context_parallel_size", "context-parallel size", "cp", "context_parallel_degree"}},
    {data_parallel, {"data_parallel_size", "data-parallel size", "dp"}},
    {expert_parallel,
     {"expert_model_parallel_size", "expert-model-parallel size", "ep", "expert_parallel_degree"}},
    {expert_tensor_parallel,
     {"expert_tensor_parallel_size", "expert-tensor-parallel size", "etp", "expert_tensor_parallel_degree"}},
    {cluster_gpus, {"world_size", "world size"}},
    {virtual_stages, {"virtual_pipeline_model_parallel_size"}},
    {zero_stage, {"zero_stage", "zero_optimization_stage"}},
};

// Settings that a log says by a word: Megatron-LM's and nanotron's dumps of their arguments.
struct Word {
  LoggedField field;
  std::string_view key;
  std::string_view word;
  double value;
};
constexpr double place_of(Recompute what) {
  return static_cast<double>(what);
}
constexpr Word words[] = {
    {sequence_parallel, "sequence_parallel", "True", 1},
    {sequence_parallel, "sequence_parallel", "False", 0},
    {zero_stage, "use_distributed_optimizer", "True", 1},
    {zero_stage, "use_distributed_optimizer", "False", 0},
    {LoggedField::recompute, "recompute_granularity", "None", place_of(Recompute::none)},
    {LoggedField::recompute, "recompute_granularity", "selective", place_of(Recompute::selective)},
    {LoggedField::recompute, "recompute_granularity", "full", place_of(Recompute::full)},
    {LoggedField::recompute, "recompute_layer", "True", place_of(Recompute::full)},
    {LoggedField::recompute, "recompute_layer", "False", place_of(Recompute::none)},
};

// Degrees that are 1 where a log says none are not missed.
constexpr LoggedField needed[] = {sequence_length, batch_size, global_batch_size, cluster_gpus};

// A line about a step, as a stack writes it.
struct StepLine {
  double step = 0;
  double time_ms = 0;          // 0: it says none
  double samples_per_sec = 0;  // of all GPUs
  double tokens_per_sec = 0;   // of all GPUs
  double gpu_tokens_per_sec = 0;
  double global_batch = 0;
};

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

using ReadLine = std::optional<StepLine> (*)(std::string_view line);

// In the order in which they are believed where a log has lines of several: those that print a time first.
struct Format {
  TrainingStack stack;
  ReadLine read;
  std::string_view mark;  // of its lines, also of those cut short
};
constexpr Format formats[] = {
    {TrainingStack::megatron, megatron_line, "elapsed time per iteration"},
    {TrainingStack::nanotron, nanotron_line, "elapsed_time_per_iteration_ms"},
    {TrainingStack::nemo, nemo_line, "train_step_timing in s"},
    {TrainingStack::deepspeed, deepspeed_pipeline_line, "iter time (s)"},
    {TrainingStack::torchtitan, torchtitan_line, "tps:"},
    {TrainingStack::torchtitan, torchtitan_line, "wps:"},
    {TrainingStack::deepspeed, deepspeed_line, "SamplesPerSec"},
};

struct PlacedLine {
  StepLine says;
  double line;
  std::optional<double> clock_ms;
};

class TrainingLogReader {
 public:
  void read_line(std::string_view raw, double number) {
    const std::string_view line = without_colours(raw, buffer_);
    bool of_a_step = false;
    for (std::size_t at = 0; at < std::size(formats); ++at) {
      if (line.find(formats[at].mark) == std::string_view::npos) continue;
      of_a_step = true;
      const auto says = formats[at].read(line);
      const bool sensible = says && std::isfinite(says->step) && says->time_ms >= 0 &&
                            says->samples_per_sec >= 0 && says->gpu_tokens_per_sec >= 0;
      if (!sensible) {
        note(log_.problems, number, "a step without its number or its time", line);
        continue;
      }
      // Every rank may print the same step: the first holds.
      std::vector<PlacedLine>& lines = lines_[at];
      if (!lines.empty() && lines.back().says.step == says->step) continue;
      lines.push_back({*says, number, clock_ms_in(line)});
    }
    if (!of_a_step) read_settings(line, number);
  }

  Outcome<TrainingLog> finished() &&;

 private:
  void read_settings(std::string_view line, double number) {
    for (const Wording& wording : wordings) {
      if (held(wording.field).line > 0) continue;
      const double least = wording.field == zero_stage ? 0 : 1;
      const double most = wording.field == zero_stage ? 3 : 1e12;
      const auto said = number_after(line, wording.keys);
      if (said && *said >= least && *said <= most && *said == std::floor(*said))
        hold(wording.field, *said, number);
    }
    for (const Word& word : words) {
      if (held(word.field).line == 0 && word_after(line, word.key) == word.word)
        hold(word.field, word.value, number);
    }
    read_mesh(line, number);
  }

  // torchtitan: "Building 2-D device mesh with ['dp_shard', 'tp'], [4, 2]".
  void read_mesh(std::string_view line, double number) {
    if (line.find("device mesh with") == std::string_view::npos) return;
    const std::vector<NamedNumber> dimensions = named_numbers(line);
    double gpus = 1;
    double replicas = 1;
    bool shards = false;
    for (const auto& [name, size] : dimensions) {
      gpus *= size;
      if (name.starts_with("dp")) replicas *= size;
      if (name.starts_with("dp_shard") && size > 1) shards = true;
      if (name == "tp") hold(tensor_parallel, size, number);
      if (name == "pp") hold(pipeline_parallel, size, number);
      if (name == "cp") hold(context_parallel, size, number);
    }
    if (dimensions.empty() || !(gpus <= 1e9)) return;
    hold(data_parallel, replicas, number);
    hold(cluster_gpus, gpus, number);
    // Weights are freed after the forward pass, unless there are stages (fsdp_reshard_after_forward:
    // default).
    if (shards) hold(zero_stage, value(pipeline_parallel) > 1 ? 2 : 3, number);
  }

  void hold(LoggedField field, double said, double line) {
    values_[static_cast<std::size_t>(field)] = {field, said, line};
  }
  const LoggedInput& held(LoggedField field) const { return values_[static_cast<std::size_t>(field)]; }
  double value(LoggedField field) const { return held(field).value; }

  void follow_degrees();
  bool time_by_clock(const std::vector<PlacedLine>& lines);
  void time_by_throughput(const std::vector<PlacedLine>& lines);
  void time_steps(const std::vector<PlacedLine>& lines);
  void sum_up(const std::vector<PlacedLine>& lines);

  TrainingLog log_;
  std::array<std::vector<PlacedLine>, std::size(formats)> lines_;
  std::array<LoggedInput, logged_field_count> values_;  // of line 0: not said
  std::string buffer_;
};

// What others come to: GPUs of the degrees, replicas of the GPUs.
void TrainingLogReader::follow_degrees() {
  double model = 1;
  for (const LoggedField degree : {tensor_parallel, pipeline_parallel, context_parallel})
    model *= std::max(1.0, value(degree));
  const LoggedInput& replicas = held(data_parallel);
  const LoggedInput& gpus = held(cluster_gpus);
  if (gpus.value == 0 && replicas.value > 0) {
    hold(cluster_gpus, replicas.value * model, replicas.line);
  } else if (replicas.value == 0 && gpus.value >= model && std::fmod(gpus.value, model) == 0) {
    hold(data_parallel, gpus.value / model, gpus.line);
  }
}

// Between the lines of two steps as many steps went by as their numbers say.
bool TrainingLogReader::time_by_clock(const std::vector<PlacedLine>& lines) {
  std::vector<LoggedStep> steps;
  for (std::size_t at = 1; at < lines.size(); ++at) {
    const PlacedLine& before = lines[at - 1];
    const PlacedLine& here = lines[at];
    if (!before.clock_ms || !here.clock_ms || here.says.step <= before.says.step) continue;
    const double time = (*here.clock_ms - *before.clock_ms) / (here.says.step - before.says.step);
    if (time > 0) steps.push_back({here.says.step, time, here.line, false});
  }
  if (steps.empty()) return false;
  log_.steps = std::move(steps);
  log_.source = StepTimeSource::timestamps;
  return true;
}

void TrainingLogReader::time_by_throughput(const std::vector<PlacedLine>& lines) {
  log_.source = StepTimeSource::throughput;
  const double tokens = value(global_batch_size) * value(sequence_length);
  for (const PlacedLine& one : lines) {
    const StepLine& says = one.says;
    const double seconds = says.samples_per_sec > 0
                               ? value(global_batch_size) / says.samples_per_sec
                               : tokens / (says.gpu_tokens_per_sec * value(cluster_gpus));
    if (std::isfinite(seconds) && seconds > 0)
      log_.steps.push_back({says.step, 1e3 * seconds, one.line, false});
  }
}

void TrainingLogReader::time_steps(const std::vector<PlacedLine>& lines) {
  const bool printed =
      std::any_of(lines.begin(), lines.end(), [](const PlacedLine& one) { return one.says.time_ms > 0; });
  if (!printed) {
    if (!time_by_clock(lines)) time_by_throughput(lines);
    return;
  }
  // While a batch grows steps are of other work: the last size holds.
  const double batch = lines.back().says.global_batch;
  for (const PlacedLine& one : lines) {
    if (one.says.global_batch == batch && one.says.time_ms > 0)
      log_.steps.push_back({one.says.step, one.says.time_ms, one.line, false});
  }
  if (batch >= 1 && batch == std::floor(batch)) hold(global_batch_size, batch, lines.back().line);
}

std::vector<double> counted_times(const std::vector<LoggedStep>& steps) {
  std::vector<double> times;
  for (const LoggedStep& step : steps)
    if (!step.warm_up) times.push_back(step.step_time_ms);
  return times;
}

void TrainingLogReader::sum_up(const std::vector<PlacedLine>& lines) {
  constexpr double calm = 1.1;
  constexpr double slow = 1.5;
  const double middle = quantile(counted_times(log_.steps), 0.5);
  // The first step is never counted where there are others, nor are slow ones after it.
  for (std::size_t at = 0; at + 1 < log_.steps.size(); ++at) {
    if (at > 0 && log_.steps[at].step_time_ms <= calm * middle) break;
    log_.steps[at].warm_up = true;
    ++log_.warm_up_steps;
  }
  const std::vector<double> times = counted_times(log_.steps);
  log_.counted_steps = static_cast<double>(times.size());
  log_.step_time_ms = quantile(times, 0.5);
  log_.step_time_low_ms = quantile(times, 0.1);
  log_.step_time_high_ms = quantile(times, 0.9);
  for (const double time : times) log_.slow_steps += time > slow * log_.step_time_ms ? 1 : 0;
  const double tokens = value(global_batch_size) * value(sequence_length);
  const StepLine& last = lines.back().says;
  const double gpus = value(cluster_gpus);
  log_.tokens_per_sec = tokens > 0                ? tokens / (log_.step_time_ms * 1e-3)
                        : last.tokens_per_sec > 0 ? last.tokens_per_sec
                                                  : last.gpu_tokens_per_sec * gpus;
  log_.tokens_per_sec_per_gpu = gpus > 0 ? log_.tokens_per_sec / gpus : last.gpu_tokens_per_sec;
}

Problem no_steps() {
  constexpr std::string_view allowed =
      "a log of Megatron-LM, NeMo, torchtitan, nanotron or DeepSpeed with at least one step's time";
  return {"training_log", ProblemCode::malformed,
          "training_log must be " + std::string(allowed) + "; no such step was found", std::string(allowed)};
}

Outcome<TrainingLog> TrainingLogReader::finished() && {
  const auto believed =
      std::find_if(lines_.begin(), lines_.end(), [](const auto& lines) { return !lines.empty(); });
  if (believed == lines_.end()) return no_steps();
  log_.stack = formats[believed - lines_.begin()].stack;
  follow_degrees();
  time_steps(*believed);
  if (log_.steps.empty()) return no_steps();
  sum_up(*believed);
  for (const LoggedInput& said : values_)
    if (said.line > 0) log_.found.push_back(said);
  for (const LoggedField field : needed)
    if (value(field) == 0) log_.not_found.push_back(field);
  return std::move(log_);
}

}  // namespace

Outcome<TrainingLog> read_training_log(std::string_view text) {
  TrainingLogReader reader;
  for_each_line(text, [&](std::string_view line, double number) { reader.read_line(line, number); });
  return std::move(reader).finished();
}

}  // namespace commcost
