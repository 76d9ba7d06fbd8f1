#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/tensor_parallel_fields.h"
#include "core/exercise/answer.h"

namespace commcost::calculations {
namespace tensor_parallel_allreduce_cost_table {

using Inputs = TensorParallelInputs;
using Results = TensorParallelCost;

constexpr FieldGroup groups[] = {group<Inputs>(tensor_parallel_fields)};

constexpr ResultField results[] = {
    whole_result<&Results::message_size_bytes>("Size of the activation tensor that is all-reduced"),
    result<&Results::comm_volume_per_allreduce_bytes>("Bytes each GPU sends in one ring all-reduce")
        .labelled("Volume per all-reduce"),
    result<&Results::total_comm_volume_bytes>("Bytes each GPU sends in all layers of a forward pass")
        .labelled("Total volume"),
    result<&Results::total_comm_time_ms>(
        "Time to send the total volume at the given bandwidth: no latency, no overlap")
        .labelled("Total time"),
};

constexpr Calculation table = calculation<Inputs, Results, commcost::tensor_parallel_allreduce_cost, results>(
    "tensor_parallel_allreduce_cost", "Cost of tensor parallelism's all-reduces in a forward pass", groups,
    1048576);

}  // namespace tensor_parallel_allreduce_cost_table

const Calculation tensor_parallel_allreduce_cost = tensor_parallel_allreduce_cost_table::table;

}  // namespace commcost::calculations
