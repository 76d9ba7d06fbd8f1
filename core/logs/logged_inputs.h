#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <vector>

namespace commcost {

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

/// What the lines of a log say of the run that they are of: the first saying holds, until a job starts again.
class LoggedInputs {
 public:
  /// Reads a line; whether it is one about a step, by the marks of step_formats: their bits.
  unsigned read(std::string_view line, double number);

  /// Steps were logged: what is said from here on may be of the next run.
  void pass_step();
  /// A job started again: what was said since the last step is of this run.
  void start_run();
  /// Says one, whatever was said before.
  void hold(LoggedField field, double value, double line);

  /// What holds; of line 0: nothing.
  const LoggedInput& of(LoggedField field) const { return held_[static_cast<std::size_t>(field)].input; }
  double value(LoggedField field) const { return of(field).value; }

 private:
  struct Held {
    LoggedInput input;
    bool of_earlier_run = false;
  };

  void read_mesh(std::string_view line, double number);
  void offer(LoggedField field, double value, double line);

  std::array<Held, logged_field_count> held_;
  std::array<LoggedInput, logged_field_count> since_step_;
};

}  // namespace commcost
