#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/collective_fields.h"
#include "core/collective/comparison.h"
#include "core/collective/pieces.h"

namespace commcost::calculations {
namespace collective_crossovers_table {

struct Inputs : CollectiveInputs, HockneyInputs {
  bool one_port = false;
};

using Results = Comparison;

constexpr InputField ranks[] = {ranks_field(most_ranks)};
constexpr InputField cut[] = {group_size_field(most_ranks), pieces_field(most_pieces)};
constexpr InputField own[] = {
    flag<&Inputs::one_port>("Whether to compare only algorithms that send one message at a time")
        .or_default(0)};

constexpr FieldGroup groups[] = {
    group<Inputs, CollectiveInputs>(collective_field),
    group<Inputs, CollectiveInputs>(ranks),
    group<Inputs, HockneyInputs>(hockney_fields),
    group<Inputs, CollectiveInputs>(cut),
    group<Inputs>(own),
};

constexpr ResultField crossover_columns[] = {
    choice_result<&Crossover::quicker_below>(algorithm_names, "The faster algorithm below that size"),
    choice_result<&Crossover::quicker_above>(algorithm_names, "The faster algorithm above that size"),
    result<&Crossover::message_size_bytes>("The message size at which both take the same time"),
    result<&Crossover::time_us>("The time of both at that size"),
};

constexpr ResultField quickest_columns[] = {
    choice_result<&QuickestRange::algorithm>(algorithm_names, "The fastest algorithm"),
    result<&QuickestRange::from_bytes>("The smallest message of this range"),
    result<&QuickestRange::to_bytes>("The largest message of this range"),
};

constexpr ResultField results[] = {
    rows_result<&Results::crossovers>(crossover_columns,
                                      "Message sizes at which two algorithms take the same time"),
    rows_result<&Results::quickest>(quickest_columns, "Fastest algorithm by message size"),
};

Outcome<Results> run(const Inputs& inputs) {
  const Outcome<Group> group = group_for(inputs);
  const Outcome<HockneyMachine> machine = machine_for(inputs);
  if (!group || !machine) return problems_of(group, machine);
  return compare(inputs.collective, *group, *machine, inputs.one_port);
}

constexpr Calculation table = unswept_calculation<Inputs, Results, run, results>(
    "collective_crossovers", "Message sizes at which one algorithm becomes faster than another", groups);

}  // namespace collective_crossovers_table

const Calculation collective_crossovers = collective_crossovers_table::table;

}  // namespace commcost::calculations
