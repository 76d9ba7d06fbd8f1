#include "core/collective/round_timeline.h"

#include <algorithm>
#include <string>

#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/collective_fields.h"
#include "core/collective/cost.h"
#include "core/collective/pieces.h"

namespace commcost::calculations {
namespace collective_timeline_table {

struct Inputs : CollectiveCostInputs {
  Value::Numbers delays_us;
};

struct Results {
  std::vector<Value::Numbers> ready_us;
  std::vector<std::vector<Delivery>> messages;
  int pieces = 1;
  double last_arrival_us = 0;
  double first_leave_us = 0;
  double last_leave_us = 0;
};

constexpr double most_delay_us = 1e9;

constexpr InputField ranks[] = {ranks_field(most_shown_ranks)};
constexpr InputField message[] = {message_size_field<&Inputs::message_size_bytes>()};
constexpr InputField own[] = {
    numbers<&Inputs::delays_us>(0, most_shown_ranks,
                                "Delay of each rank, in rank order; ranks beyond the list: 0")
        .labelled("Delay of each rank")
        .or_default(0)};

constexpr FieldGroup groups[] = {
    group<Inputs, CollectiveInputs>(collective_field),
    group<Inputs, MethodInputs>(algorithm_field),
    group<Inputs, CollectiveInputs>(ranks),
    group<Inputs, CollectiveCostInputs>(message),
    group<Inputs, HockneyInputs>(hockney_fields),
    group<Inputs, CollectiveInputs>(shown_cut),
    group<Inputs>(own),
};

constexpr ResultField message_columns[] = {
    result<&Delivery::from>("Rank that sends; the number of ranks: the switch"),
    result<&Delivery::to>("Rank that receives it"),
    result<&Delivery::begun_us>("Time at which it begins"),
    result<&Delivery::ended_us>("Time at which its last byte arrives"),
};

constexpr ResultField results[] = {
    result<&Results::ready_us>(
        "Time at which each rank is done: a list before the first round and one after each")
        .in("us"),
    row_lists_result<&Results::messages>(message_columns, "The time span of each round's messages"),
    result<&Results::pieces>("Pieces of the pipeline, as used; 1: no pipeline"),
    result<&Results::last_arrival_us>("Time at which the last rank arrives"),
    result<&Results::first_leave_us>("Time at which the first rank is done"),
    result<&Results::last_leave_us>("Time at which the last rank is done"),
};

void check_delays(const Inputs& inputs, Problems& problems) {
  const std::size_t given = inputs.delays_us.size();
  if (given > static_cast<std::size_t>(inputs.ranks)) {
    problems.push_back(
        must_be("delays_us", ProblemCode::inconsistent,
                "a list of at most ranks (" + text_of(static_cast<double>(inputs.ranks)) + ") numbers",
                text_of(static_cast<double>(given))));
  }
  for (const double delay : inputs.delays_us) {
    if (delay >= 0 && delay <= most_delay_us) continue;
    problems.push_back(must_be("delays_us", ProblemCode::out_of_range,
                               "numbers from 0 to " + text_of(most_delay_us), text_of(delay)));
    return;
  }
}

Outcome<Results> run(const Inputs& inputs) {
  const Outcome<PlacedMethod> placed = placed_method_for(inputs);
  const Outcome<HockneyMachine> machine = machine_for(inputs);
  Problems problems = problems_of(placed, machine);
  check_shown_pieces(placed, problems);
  check_delays(inputs, problems);
  if (!problems.empty()) return problems;

  Group group = with_pieces(*placed->method, placed->group, inputs.message_size_bytes, *machine);
  group.pieces = std::min({group.pieces, static_cast<int>(most_shown_pieces), most_shown_cut / group.ranks});
  CollectiveTimeline timeline =
      timeline_of(Schedule(*placed->method, group), inputs.message_size_bytes, *machine, inputs.delays_us);
  Results shown;
  shown.pieces = group.pieces;
  const std::vector<double>& arrivals = timeline.ready_us.front();
  const std::vector<double>& leaves = timeline.ready_us.back();
  shown.last_arrival_us = *std::max_element(arrivals.begin(), arrivals.end());
  shown.first_leave_us = *std::min_element(leaves.begin(), leaves.end());
  shown.last_leave_us = *std::max_element(leaves.begin(), leaves.end());
  shown.ready_us = std::move(timeline.ready_us);
  shown.messages = std::move(timeline.messages);
  return shown;
}

constexpr Calculation table = unswept_calculation<Inputs, Results, run, results>(
    "collective_timeline", "Time at which each rank finishes each round if some ranks arrive late", groups);

}  // namespace collective_timeline_table

const Calculation collective_timeline = collective_timeline_table::table;

}  // namespace commcost::calculations
