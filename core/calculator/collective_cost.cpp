#include "core/collective/cost.h"

#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/collective_fields.h"
#include "core/collective/pieces.h"

namespace commcost::calculations {
namespace collective_cost_table {

using Inputs = CollectiveCostInputs;
using Results = CollectiveCost;

constexpr InputField ranks[] = {ranks_field(most_ranks)};
constexpr InputField message[] = {message_size_field<&Inputs::message_size_bytes>()};
constexpr InputField cut[] = {group_size_field(most_ranks), pieces_field(most_pieces)};

constexpr FieldGroup groups[] = {
    group<Inputs, CollectiveInputs>(collective_field),
    group<Inputs, MethodInputs>(algorithm_field),
    group<Inputs, CollectiveInputs>(ranks),
    group<Inputs>(message),
    group<Inputs, HockneyInputs>(hockney_fields),
    group<Inputs, CollectiveInputs>(cut),
};

constexpr ResultField results[] = {
    whole_result<&Results::rounds>("Rounds of messages, one after the other"),
    result<&Results::sent_bytes_per_rank>("Bytes sent by the rank that sends most"),
    result<&Results::reduced_bytes_per_rank>("Bytes reduced by the rank that reduces most"),
    result<&Results::time_us>("Time by the closed form in Hockney's model"),
    result<&Results::latency_time_us>("Latency part of the time"),
    result<&Results::transfer_time_us>("Transfer part of the time"),
    result<&Results::reduce_time_us>("Reduction part of the time"),
    result<&Results::algorithm_bandwidth_gb_per_sec>("Message over time; 0 where no bytes are sent"),
    result<&Results::bus_bandwidth_gb_per_sec>("Algorithm bandwidth times nccl-tests' factor"),
    result<&Results::lower_bound_us>(
        "Lower bound on the time of any algorithm with this many ports per rank"),
    result<&Results::group_size>("Ranks of an inner group, as used").in("ranks"),
    result<&Results::pieces>("Pieces of the pipeline, as used; 1: no pipeline"),
    result<&Results::form>("The closed form"),
    result<&Results::source>("Source of the closed form"),
    result<&Results::published_form>("The source's own form where the schedule counts otherwise; else empty"),
};

constexpr Calculation table = calculation<Inputs, Results, commcost::collective_cost, results>(
    "collective_cost", "Cost of a collective by an algorithm's closed form", groups);

}  // namespace collective_cost_table

const Calculation collective_cost = collective_cost_table::table;

}  // namespace commcost::calculations
