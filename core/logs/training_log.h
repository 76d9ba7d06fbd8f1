#pragma once

#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/outcome.h"
#include "core/logs/log_lines.h"
#include "core/logs/logged_inputs.h"
#include "core/logs/logged_shape.h"
#include "core/logs/step_lines.h"

namespace commcost {

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

/// What a training log says of its steps: of those of its last run, where it has several.
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
  std::optional<ModelShape> shape;     ///< the model, where its arguments say it
  double shape_line = 0;               ///< where these begin, from 1
  std::vector<LoggedInput> found;      ///< in the order of the fields
  std::vector<LoggedField> not_found;  ///< what a step needs to be told and the log does not say
  std::vector<LogProblem> problems;    ///< by line
};

/// Reads a log that comes in pieces, with whatever stands around its steps: ranks, clocks, colours, other
/// lines.
class TrainingLogReader {
 public:
  /// The next piece, which may end anywhere.
  void read(std::string_view piece);
  /// What all of them say, or why that is nothing.
  Outcome<TrainingLog> finished() &&;

 private:
  void read_line(std::string_view raw, double number);
  void name_earlier_runs(const StepRuns& runs);
  void follow_degrees();
  bool time_by_clock(const std::vector<PlacedStep>& lines);
  void time_by_throughput(const std::vector<PlacedStep>& lines);
  void time_steps(const std::vector<PlacedStep>& lines);
  void sum_up(const std::vector<PlacedStep>& lines);
  Problem no_times(const StepRuns& runs) const;

  LineCutter lines_;
  std::array<StepRuns, step_format_count> runs_;
  LoggedInputs inputs_;
  LoggedShape shape_;
  TrainingLog log_;
  std::string buffer_;
};

/// Reads a whole log at once.
Outcome<TrainingLog> read_training_log(std::string_view text);

}  // namespace commcost
