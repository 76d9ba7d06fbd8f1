#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace commcost {

/// Who wrote a training log. Formats: Megatron-LM megatron/training/training.py (training_log), torchtitan
/// components/metrics.py, nanotron trainer.py (train_step_logs), DeepSpeed utils/timer.py (ThroughputTimer),
/// NeMo's progress bar (train_step_timing).
enum class TrainingStack { megatron, torchtitan, nanotron, deepspeed, nemo };
inline constexpr std::string_view training_stack_names[] = {"megatron", "torchtitan", "nanotron", "deepspeed",
                                                            "nemo"};
inline constexpr std::size_t training_stack_count = std::size(training_stack_names);

/// A line about a step, as a stack writes it; 0: it does not say.
struct StepLine {
  double step = 0;
  double time_ms = 0;
  double samples_per_sec = 0;     ///< of all GPUs
  double tokens_per_sec = 0;      ///< of all GPUs
  double gpu_tokens_per_sec = 0;  ///< of each GPU
  double global_batch = 0;
};

/// How a stack writes such a line.
struct StepFormat {
  TrainingStack stack;
  std::string_view mark;  ///< a word of these lines, also of those cut short
  std::optional<StepLine> (*read)(std::string_view line);
};

inline constexpr std::size_t step_format_count = 8;

/// In order of preference if a log has lines in several formats: those that print a time first.
extern const StepFormat step_formats[step_format_count];

/// A line about a step, and its place in the log.
struct PlacedStep {
  StepLine says;
  double line = 0;                 ///< from 1
  std::optional<double> clock_ms;  ///< that it is stamped with
};

/// A run before the last one of a log.
struct EarlierRun {
  double first_line = 0;
  double last_line = 0;
  double steps = 0;
};

/// Steps of one format as their lines arrive: those of the last run, as a number that falls means that the
/// job was started again.
class StepRuns {
 public:
  enum class Taken {
    step,          ///< the next one of this run
    new_run,       ///< the first one of another run
    repeated,      ///< by another rank
    out_of_order,  ///< from an earlier time, and no step of this run
  };
  Taken take(const PlacedStep& step);

  const std::vector<PlacedStep>& last_run() const { return last_run_; }
  const std::vector<EarlierRun>& earlier() const { return earlier_; }

 private:
  std::vector<PlacedStep> last_run_;
  std::vector<EarlierRun> earlier_;
};

}  // namespace commcost
