#pragma once

#include <iterator>
#include <string_view>
#include <vector>

#include "core/base/outcome.h"
#include "core/logs/log_lines.h"

namespace commcost {

/// Who wrote a training log. Formats: Megatron-LM megatron/training/training.py (training_log), torchtitan
/// components/metrics.py, nanotron trainer.py (train_step_logs), DeepSpeed utils/timer.py (ThroughputTimer),
/// NeMo's progress bar (train_step_timing).
enum class TrainingStack { megatron, torchtitan, nanotron, deepspeed, nemo };
inline constexpr std::string_view training_stack_names[] = {"megatron", "torchtitan", "nanotron", "deepspeed",
                                                            "nemo"};
inline constexpr std::size_t training_stack_count = std::size(training_stack_names);

/// Where the times of steps come from.
enum class StepTimeSource {
  printed,     ///< the log says them
  timestamps,  ///< between lines, by their clock
  throughput,  ///< from samples a second and the batch
};
inline constexpr std::string_view step_time_source_names[] = {"printed", "timestamps", "throughput"};

/// A step of which the log tells how long it took.
struct LoggedStep {
  double step = 0;  ///< its number
  double step_time_ms = 0;
  double line = 0;       ///< where it stands, from 1
  bool warm_up = false;  ///< slow ones at the begin: compilation, allocation
};

/// Inputs of a step that a log may say.
enum class LoggedField {
  sequence_length,
  batch_size,
  global_batch_size,
  tensor_parallel,
  pipeline_parallel,
  context_parallel,
  data_parallel,
  expert_parallel,
  expert_tensor_parallel,
  cluster_gpus,
  virtual_stages,
  zero_stage,
  sequence_parallel,
  recompute
};
inline constexpr std::string_view logged_field_names[] = {
    "sequence_length",        "batch_size",       "global_batch_size", "tensor_parallel",
    "pipeline_parallel",      "context_parallel", "data_parallel",     "expert_parallel",
    "expert_tensor_parallel", "cluster_gpus",     "virtual_stages",    "zero_stage",
    "sequence_parallel",      "recompute"};
inline constexpr std::size_t logged_field_count = std::size(logged_field_names);

/// One that the log says.
struct LoggedInput {
  LoggedField field = LoggedField::sequence_length;
  double value = 0;  ///< of a switch 0 or 1, of a choice its place
  double line = 0;   ///< where it stands, from 1; 0: nowhere
};

/// What a training log says of its steps.
struct TrainingLog {
  TrainingStack stack = TrainingStack::megatron;
  StepTimeSource source = StepTimeSource::printed;
  std::vector<LoggedStep> steps;       ///< in order; of ranks that print the same, one
  double step_time_ms = 0;             ///< median after the warm-up, at the last batch size
  double step_time_low_ms = 0;         ///< a tenth was quicker
  double step_time_high_ms = 0;        ///< a tenth was slower
  double counted_steps = 0;            ///< that these are of
  double warm_up_steps = 0;            ///< left out
  double slow_steps = 0;               ///< counted, and half as long again as the median: checkpoints, stalls
  double tokens_per_sec = 0;           ///< of all GPUs; 0: not told
  double tokens_per_sec_per_gpu = 0;   ///< 0: not told
  std::vector<LoggedInput> found;      ///< in the order of the fields
  std::vector<LoggedField> not_found;  ///< what a step needs to be told and the log does not say
  std::vector<LogProblem> problems;    ///< by line
};

/// Longest log that is read, bytes.
inline constexpr double longest_training_log = 16e6;

/// Reads a log with whatever stands around its steps: ranks, clocks, colours, other lines; or says why not.
Outcome<TrainingLog> read_training_log(std::string_view text);

}  // namespace commcost
