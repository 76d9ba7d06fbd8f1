#include "core/textbook/partition_schemes.h"

#include "core/calculator/calculations.h"
#include "core/calculator/common_fields.h"
#include "core/calculator/job_fields.h"
#include "core/calculator/machine_fields.h"

namespace commcost::calculations {
namespace partition_schemes_table {

/// What partition_schemes takes.
struct PartitionSchemesInputs {
  ModelShape shape;
  Work work;
  Machine machine;
  PartitionInputs partition;  ///< with the machine's bandwidth put in
};

/// What partition_schemes gives.
struct PartitionSchemes {
  std::vector<PartitionRow> schemes;
  PartitionScheme quickest;
};

using Inputs = PartitionSchemesInputs;
using Results = PartitionSchemes;

using Row = PartitionRow;

constexpr InputField partition_fields[] = {
    group_gpus_field<&PartitionInputs::num_gpus>(),
    whole<&PartitionInputs::depth>(0, 1024, "Grids of the 2.5D scheme; 0: the number that sends least")
        .in("grids")
        .labelled("2.5D depth")
        .or_default(0),
    latency_field<&PartitionInputs::latency_us>().or_default(usual_latency_us),
};

constexpr auto accelerator_field = picked(system_machine_fields, {"accelerator"});
constexpr auto link_field = picked(rate_fields, {"bandwidth_gb_per_sec"});
constexpr auto layer_work_fields =
    picked(work_fields, {"sequence_length", "batch_size", "bytes_per_element"});

constexpr FieldGroup groups[] = {
    group_of<&Inputs::shape>(model_field),      group_of<&Inputs::shape>(model_shape_fields),
    group_of<&Inputs::work>(layer_work_fields), group_of<&Inputs::partition>(partition_fields),
    group_of<&Inputs::machine>(system_field),   group_of<&Inputs::machine>(accelerator_field),
    group_of<&Inputs::machine>(link_field)};

constexpr ResultField columns[] = {
    choice_result<&Row::scheme>(partition_scheme_names, "The split of a layer's matrices"),
    choice_result<&Row::needs>(partition_need_names, "The condition on num_gpus"),
    result<&Row::possible>("Whether num_gpus meets that condition"),
    whole_result<&Row::side>("GPUs along one side of the grid").in("GPUs"),
    whole_result<&Row::depth>("Grids").in("grids"),
    result<&Row::forward_elements>("Elements that each GPU sends in the forward pass of a layer"),
    result<&Row::backward_elements>("Elements that each GPU sends in the backward pass"),
    result<&Row::sent_bytes_per_gpu>("Bytes that each GPU sends in both passes"),
    whole_result<&Row::steps>("Consecutive latencies"),
    result<&Row::time_us>("Time of these latencies and bytes"),
    result<&Row::weight_elements>("Weights on a GPU"),
    result<&Row::activation_elements>("Inputs of the matrices kept on a GPU"),
    result<&Row::printed_bandwidth>("Factor that Colossal-AI's docs print, of one matrix"),
    result<&Row::printed_latency>("Latencies that Colossal-AI's docs print, of one matrix"),
    result<&Row::optimus_elements>(
        "Elements as arXiv:2104.05343 prints them, with full recomputation; 0: not printed"),
};

constexpr ResultField results[] = {
    rows_result<&Results::schemes>(columns, "The four schemes for one layer"),
    choice_result<&Results::quickest>(partition_scheme_names, "The fastest scheme that is possible"),
};

Outcome<Results> compute(const Inputs& inputs) {
  PartitionInputs partition = inputs.partition;
  partition.bandwidth_gb_per_sec = completed(inputs.machine).bandwidth_gb_per_sec;
  Results found;
  found.schemes = commcost::partition_schemes(completed(inputs.shape), completed(inputs.work), partition);
  const Row* quickest = &found.schemes.front();
  for (const Row& row : found.schemes) {
    if (row.possible && row.time_us < quickest->time_us) quickest = &row;
  }
  found.quickest = quickest->scheme;
  return found;
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "partition_schemes", "One layer split in one, two, two and a half and three dimensions", groups);

}  // namespace partition_schemes_table

const Calculation partition_schemes = partition_schemes_table::table;

}  // namespace commcost::calculations
