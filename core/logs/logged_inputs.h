#pragma once

#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <vector>

namespace commcost {

/// Inputs of a step that a log may give.
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

/// An input that the log gives.
struct LoggedInput {
  LoggedField field = LoggedField::sequence_length;
  double value = 0;  ///< of a switch 0 or 1, of a choice its place
  double line = 0;   ///< its line, from 1; 0: not in the log
};

/// What a log's lines say about their run: the first mention counts, until a job starts again.
class LoggedInputs {
 public:
  /// Reads a line; returns whether it is about a step, as the bits of the marks in step_formats.
  unsigned read(std::string_view line, double number);

  /// Steps were logged: what follows may be about the next run.
  void pass_step();
  /// A job started again: everything since the last step is about this run.
  void start_run();
  /// Sets an input, whatever was said before.
  void hold(LoggedField field, double value, double line);

  /// The current value; line 0 if there is none.
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
