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

/// Where the step times come from.
enum class StepTimeSource {
  printed,     ///< the log says them
  timestamps,  ///< between lines, by their clock
  throughput,  ///< from samples a second and the batch
};
inline constexpr std::string_view step_time_source_names[] = {"printed", "timestamps", "throughput"};

/// A step whose time the log gives.
struct LoggedStep {
  double step = 0;  ///< its number
  double step_time_ms = 0;
  double line = 0;       ///< its line, from 1
  bool warm_up = false;  ///< slow steps at the start: compilation, allocation
};

/// What a training log says about its steps: those of its last run, if it has several.
struct TrainingLog {
  TrainingStack stack = TrainingStack::megatron;
  StepTimeSource source = StepTimeSource::printed;
  std::vector<LoggedStep> steps;       ///< in order; where ranks print the same, one
  double step_time_ms = 0;             ///< median after the warm-up, at the last batch size
  double step_time_low_ms = 0;         ///< a tenth is faster
  double step_time_high_ms = 0;        ///< a tenth is slower
  double counted_steps = 0;            ///< that these are based on
  double warm_up_steps = 0;            ///< left out
  double slow_steps = 0;               ///< counted, and half as long again as the median: checkpoints, stalls
  double tokens_per_sec = 0;           ///< of all GPUs; 0: not given
  double tokens_per_sec_per_gpu = 0;   ///< 0: not given
  std::optional<ModelShape> shape;     ///< the model, if its arguments are logged
  double shape_line = 0;               ///< the first line of these, from 1
  std::vector<LoggedInput> found;      ///< in the order of the fields
  std::vector<LoggedField> not_found;  ///< what a step needs and the log does not give
  std::vector<LogProblem> problems;    ///< by line
};

/// Reads a log that arrives in pieces, with anything around its steps: ranks, clocks, colours, other lines.
class TrainingLogReader {
 public:
  /// Takes the next piece, which may end anywhere.
  void read(std::string_view piece);
  /// The result of all pieces, or why there is none.
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
