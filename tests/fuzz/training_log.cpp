// The reader of training logs on arbitrary bytes.

#include "core/logs/training_log.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "fuzz/require.h"

namespace {

// Of what a log can say by a word, none is 0; degrees and sizes are 1 or more.
double least_of(commcost::LoggedField field) {
  using enum commcost::LoggedField;
  return field == zero_stage || field == sequence_parallel || field == recompute ? 0 : 1;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace commcost;
  using fuzz::require;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Outcome<TrainingLog> log = read_training_log(text);
  if (!log) return 0;
  double lines = 1;
  for (const char c : text) lines += c == '\n' ? 1 : 0;
  require(!log->steps.empty());
  double before = 0;
  for (const LoggedStep& step : log->steps) {
    require(step.line >= before && step.line <= lines);
    require(step.step_time_ms > 0 && std::isfinite(step.step_time_ms) && std::isfinite(step.step));
    before = step.line;
  }
  require(log->counted_steps >= 1);
  require(log->counted_steps + log->warm_up_steps == static_cast<double>(log->steps.size()));
  require(log->step_time_low_ms <= log->step_time_ms && log->step_time_ms <= log->step_time_high_ms);
  require(log->slow_steps <= log->counted_steps);
  for (const LoggedInput& input : log->found)
    require(input.value >= least_of(input.field) && input.line >= 1);
  return 0;
}
