#include "core/logs/training_log.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "core/base/number_text.h"
#include "core/base/statistics.h"
#include "core/logs/log_words.h"

namespace commcost {
namespace {

using enum LoggedField;

// Degrees that are 1 if a log gives none are not reported as missing.
constexpr LoggedField needed[] = {sequence_length, batch_size, global_batch_size, cluster_gpus};

Problem malformed(const std::string& message) {
  constexpr std::string_view allowed =
      "a log of Megatron-LM, NeMo, torchtitan, nanotron or DeepSpeed with at least one step's time";
  return {"training_log", ProblemCode::malformed, message, std::string(allowed)};
}

std::vector<double> counted_times(const std::vector<LoggedStep>& steps) {
  std::vector<double> times;
  for (const LoggedStep& step : steps)
    if (!step.warm_up) times.push_back(step.step_time_ms);
  return times;
}

}  // namespace

void TrainingLogReader::read(std::string_view piece) {
  lines_.read(piece, [this](std::string_view line, double number) { read_line(line, number); });
}

void TrainingLogReader::read_line(std::string_view raw, double number) {
  if (is_blank(raw)) return;
  if (raw.size() == longest_line) note(log_.problems, number, "a line too long to be read to its end", raw);
  const std::string_view line = without_colours(raw, buffer_);
  shape_.read(line, number);
  const unsigned formats = inputs_.read(line, number);
  if (formats == 0) return;
  for (std::size_t at = 0; at < step_format_count; ++at) {
    if ((formats >> at & 1) == 0) continue;
    const auto says = step_formats[at].read(line);
    if (!says || !std::isfinite(says->time_ms)) {
      note(log_.problems, number, "a step without its number or its time", line);
      continue;
    }
    switch (runs_[at].take({*says, number, clock_ms_in(line)})) {
      case StepRuns::Taken::new_run:
        inputs_.start_run();
        break;
      case StepRuns::Taken::out_of_order:
        note(log_.problems, number, "a step of an earlier time than the one before it", line);
        break;
      case StepRuns::Taken::step:
      case StepRuns::Taken::repeated:
        break;
    }
  }
  inputs_.pass_step();
}

void TrainingLogReader::name_earlier_runs(const StepRuns& runs) {
  std::vector<LogProblem> earlier;
  for (const EarlierRun& run : runs.earlier()) {
    earlier.push_back({run.first_line, run.last_line - run.first_line + 1,
                       "an earlier run, of " + text_of(run.steps) + (run.steps == 1 ? " step" : " steps") +
                           "; only the last run of a log is counted",
                       ""});
  }
  merge_by_line(log_.problems, std::move(earlier));
}

// What others imply: GPUs from the degrees, replicas from the GPUs.
void TrainingLogReader::follow_degrees() {
  double model = 1;
  for (const LoggedField degree : {tensor_parallel, pipeline_parallel, context_parallel})
    model *= std::max(1.0, inputs_.value(degree));
  const LoggedInput& replicas = inputs_.of(data_parallel);
  const LoggedInput& gpus = inputs_.of(cluster_gpus);
  if (gpus.value == 0 && replicas.value > 0) {
    inputs_.hold(cluster_gpus, replicas.value * model, replicas.line);
  } else if (replicas.value == 0 && gpus.value >= model && std::fmod(gpus.value, model) == 0) {
    inputs_.hold(data_parallel, gpus.value / model, gpus.line);
  }
}

// As many steps passed between the lines of two steps as their numbers say.
bool TrainingLogReader::time_by_clock(const std::vector<PlacedStep>& lines) {
  std::vector<LoggedStep> steps;
  for (std::size_t at = 1; at < lines.size(); ++at) {
    const PlacedStep& before = lines[at - 1];
    const PlacedStep& here = lines[at];
    if (!before.clock_ms || !here.clock_ms || here.says.step <= before.says.step) continue;
    const double time = (*here.clock_ms - *before.clock_ms) / (here.says.step - before.says.step);
    if (time > 0) steps.push_back({here.says.step, time, here.line, false});
  }
  if (steps.empty()) return false;
  log_.steps = std::move(steps);
  log_.source = StepTimeSource::timestamps;
  return true;
}

void TrainingLogReader::time_by_throughput(const std::vector<PlacedStep>& lines) {
  log_.source = StepTimeSource::throughput;
  const double tokens = inputs_.value(global_batch_size) * inputs_.value(sequence_length);
  for (const PlacedStep& one : lines) {
    const StepLine& says = one.says;
    const double seconds = says.samples_per_sec > 0
                               ? inputs_.value(global_batch_size) / says.samples_per_sec
                               : tokens / (says.gpu_tokens_per_sec * inputs_.value(cluster_gpus));
    if (std::isfinite(seconds) && seconds > 0)
      log_.steps.push_back({says.step, 1e3 * seconds, one.line, false});
  }
}

void TrainingLogReader::time_steps(const std::vector<PlacedStep>& lines) {
  const bool printed =
      std::any_of(lines.begin(), lines.end(), [](const PlacedStep& one) { return one.says.time_ms > 0; });
  if (!printed) {
    if (!time_by_clock(lines)) time_by_throughput(lines);
    return;
  }
  // While a batch grows, steps do different work: the last size counts.
  const double batch = lines.back().says.global_batch;
  for (const PlacedStep& one : lines) {
    if (one.says.global_batch == batch && one.says.time_ms > 0)
      log_.steps.push_back({one.says.step, one.says.time_ms, one.line, false});
  }
  if (batch >= 1 && batch <= 1e12 && batch == std::floor(batch))
    inputs_.hold(global_batch_size, batch, lines.back().line);
}

void TrainingLogReader::sum_up(const std::vector<PlacedStep>& lines) {
  constexpr double calm = 1.1;
  constexpr double slow = 1.5;
  const double middle = quantile(counted_times(log_.steps), 0.5);
  // If there are others, the first step is never counted, nor are slow ones right after it.
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
  const double tokens = inputs_.value(global_batch_size) * inputs_.value(sequence_length);
  const StepLine& last = lines.back().says;
  const double gpus = inputs_.value(cluster_gpus);
  log_.tokens_per_sec = tokens > 0                ? tokens / (log_.step_time_ms * 1e-3)
                        : last.tokens_per_sec > 0 ? last.tokens_per_sec
                                                  : last.gpu_tokens_per_sec * gpus;
  log_.tokens_per_sec_per_gpu = gpus > 0 ? log_.tokens_per_sec / gpus : last.gpu_tokens_per_sec;
}

Problem TrainingLogReader::no_times(const StepRuns& runs) const {
  const auto steps = static_cast<double>(runs.last_run().size());
  std::string message = "training_log has " + text_of(steps) + (steps == 1 ? " step" : " steps") +
                        (runs.earlier().empty() ? "" : " in its last run");
  const StepLine& last = runs.last_run().back().says;
  std::string missing;
  const auto need = [&](LoggedField field, std::string_view words) {
    if (inputs_.value(field) == 0) missing += (missing.empty() ? "" : ", ") + std::string(words) + ": ...";
  };
  if (last.samples_per_sec > 0 || last.gpu_tokens_per_sec > 0) need(global_batch_size, "global batch size");
  if (last.gpu_tokens_per_sec > 0) {
    need(sequence_length, "sequence length");
    need(cluster_gpus, "world size");
  }
  if (missing.empty()) return malformed(message + ", but no time of any");
  return malformed(message + ", but neither their times nor all that these follow from: add a line \"" +
                   missing + "\"");
}

Outcome<TrainingLog> TrainingLogReader::finished() && {
  lines_.finish([this](std::string_view line, double number) { read_line(line, number); });
  const auto believed =
      std::find_if(runs_.begin(), runs_.end(), [](const StepRuns& runs) { return !runs.last_run().empty(); });
  if (believed == runs_.end()) {
    const Problem none = malformed("");
    return malformed("training_log must be " + none.allowed + "; no step was found in it");
  }
  const std::vector<PlacedStep>& lines = believed->last_run();
  log_.stack = step_formats[believed - runs_.begin()].stack;
  follow_degrees();
  time_steps(lines);
  if (log_.steps.empty()) return no_times(*believed);
  sum_up(lines);
  name_earlier_runs(*believed);
  log_.shape = shape_.shape();
  log_.shape_line = shape_.line();
  for (std::size_t field = 0; field < logged_field_count; ++field) {
    const LoggedInput& said = inputs_.of(static_cast<LoggedField>(field));
    if (said.line > 0) log_.found.push_back(said);
  }
  for (const LoggedField field : needed)
    if (inputs_.value(field) == 0) log_.not_found.push_back(field);
  return std::move(log_);
}

Outcome<TrainingLog> read_training_log(std::string_view text) {
  TrainingLogReader reader;
  reader.read(text);
  return std::move(reader).finished();
}

}  // namespace commcost
