#include "core/logs/trace_breakdown.h"

#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"

namespace commcost::calculations {
namespace trace_breakdown_table {

/// What trace_breakdown takes: a column each, as long as there are kernels.
struct TraceInputs {
  Value::Numbers start_us;
  Value::Numbers duration_us;
  Value::Numbers stream;
  Value::Numbers communication;
};

using Inputs = TraceInputs;
using Results = TraceBreakdown;

constexpr double most_kernels = 4e6;  // four columns are what one call can pass

constexpr InputField fields[] = {
    numbers<&Inputs::start_us>(0, most_kernels, "Start of each kernel"),
    numbers<&Inputs::duration_us>(0, most_kernels, "Duration of each kernel, not negative"),
    numbers<&Inputs::stream>(0, most_kernels, "Stream of each kernel"),
    numbers<&Inputs::communication>(
        0, most_kernels, "Number of the group in which each kernel communicates, from 1; 0: it computes"),
};

constexpr FieldGroup groups[] = {group<Inputs>(fields)};

constexpr ResultField stream_columns[] = {
    result<&StreamTime::stream>("Id of the stream"),
    whole_result<&StreamTime::kernels>("Kernels on it"),
    result<&StreamTime::compute_us>("Time in which it computes"),
    result<&StreamTime::communication_us>("Time in which it communicates"),
};

constexpr ResultField group_columns[] = {
    whole_result<&MessageGroupTime::group>("Number of the group, as given"),
    whole_result<&MessageGroupTime::kernels>("Kernels in it"),
    result<&MessageGroupTime::communication_us>("Their durations, added up"),
    result<&MessageGroupTime::exposed_us>("Part of that time in which no kernel computes"),
};

constexpr ResultField results[] = {
    result<&Results::compute_only_us>("Compute alone"),
    result<&Results::overlapped_us>("Compute and communication at once"),
    result<&Results::communication_only_us>("Communication alone"),
    result<&Results::idle_us>("Time with neither"),
    result<&Results::total_us>("Time from the first start to the last end"),
    result<&Results::compute_only_share>("Share of the total with compute alone"),
    result<&Results::overlapped_share>("Share of the total in which both run"),
    result<&Results::communication_only_share>("Share of the total with communication alone"),
    result<&Results::idle_share>("Share of the total with neither"),
    whole_result<&Results::kernels>("Kernels"),
    result<&Results::launch_pauses_us>("Idle time in pauses shorter than 1 ms: the host launches too late"),
    result<&Results::longest_pause_us>("The longest pause in which nothing runs"),
    rows_result<&Results::streams>(stream_columns, "Busy time of each stream"),
    rows_result<&Results::groups>(group_columns, "Time of each group of messages"),
};

Outcome<Results> compute(const Inputs& inputs) {
  Problems problems;
  const std::size_t kernels = inputs.start_us.size();
  const auto same_length = [&](const char* field, const Value::Numbers& column) {
    if (column.size() == kernels) return;
    const std::string wanted = text_of(static_cast<double>(kernels));
    problems.push_back({field, ProblemCode::inconsistent,
                        std::string(field) + " must be as long as start_us (" + wanted + "); got " +
                            text_of(static_cast<double>(column.size())),
                        wanted + " numbers"});
  };
  same_length("duration_us", inputs.duration_us);
  same_length("stream", inputs.stream);
  same_length("communication", inputs.communication);
  if (!problems.empty()) return problems;
  std::vector<KernelInterval> intervals(kernels);
  for (std::size_t i = 0; i < kernels; ++i) {
    if (inputs.duration_us[i] < 0) {
      return Problem{"duration_us", ProblemCode::out_of_range,
                     "duration_us must not be negative; got " + text_of(inputs.duration_us[i]) + " at " +
                         text_of(static_cast<double>(i)),
                     "numbers of at least 0"};
    }
    intervals[i] = {inputs.start_us[i], inputs.duration_us[i], inputs.stream[i],
                    inputs.communication[i] != 0 ? KernelKind::communication : KernelKind::compute,
                    inputs.communication[i]};
  }
  return commcost::trace_breakdown(intervals);
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "trace_breakdown", "A profile's time by compute, communication, both and neither", groups);

}  // namespace trace_breakdown_table

const Calculation trace_breakdown = trace_breakdown_table::table;

}  // namespace commcost::calculations
