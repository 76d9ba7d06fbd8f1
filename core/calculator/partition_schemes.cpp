#include "core/textbook/partition_schemes.h"

#include "core/calculator/calculations.h"
#include "core/calculator/setting_fields.h"

namespace commcost::calculations {

/// What partition_schemes takes.
struct PartitionSchemesInputs {
  ModelShape shape;
  Work work;
  PartitionInputs partition;
};

/// What partition_schemes gives.
struct PartitionSchemes {
  std::vector<PartitionRow> schemes;
  PartitionScheme quickest;
};

namespace {

using Inputs = PartitionSchemesInputs;
using Results = PartitionSchemes;

using Row = PartitionRow;

constexpr InputField partition_fields[] = {
    whole<&PartitionInputs::num_gpus>("num_gpus", "GPUs", 1, 1048576, "GPUs that share the layer"),
    whole<&PartitionInputs::depth>("depth", "grids", 0, 1024,
                                   "Grids of the 2.5D scheme; 0: those that send least")
        .or_default(0),
    real<&PartitionInputs::latency_us>("latency_us", "us", 0, 1e6, "Latency of a step").or_default(5),
    real<&PartitionInputs::bandwidth_gb_per_sec>("bandwidth_gb_per_sec", "GB/s", 1e-6, 1e9,
                                                 "Bandwidth of a GPU, one way")
        .or_default(300),
};

constexpr FieldGroup groups[] = {
    group_of<&Inputs::shape>(model_field), group_of<&Inputs::shape>(model_shape_fields),
    group_of<&Inputs::work>(work_fields), group_of<&Inputs::partition>(partition_fields)};

constexpr ResultField columns[] = {
    choice_result<&Row::scheme>("scheme", partition_scheme_names, "How a layer's matrices are dealt out"),
    choice_result<&Row::needs>("needs", partition_need_names, "What num_gpus must be"),
    result<&Row::possible>("possible", "", "Whether it is"),
    whole_result<&Row::side>("side", "GPUs", "GPUs along one side of the grid"),
    whole_result<&Row::depth>("depth", "grids", "Grids"),
    result<&Row::forward_elements>("forward_elements", "", "Sent by each GPU in the forward pass of a layer"),
    result<&Row::backward_elements>("backward_elements", "", "Sent by each GPU in the backward pass"),
    result<&Row::sent_bytes_per_gpu>("sent_bytes_per_gpu", "bytes", "Sent by each GPU, both passes"),
    whole_result<&Row::steps>("steps", "", "Latencies, one after the other"),
    result<&Row::time_us>("time_us", "us", "Steps and bytes"),
    result<&Row::weight_elements>("weight_elements", "", "Weights on a GPU"),
    result<&Row::activation_elements>("activation_elements", "", "Inputs of the matrices kept on a GPU"),
    result<&Row::printed_bandwidth>("printed_bandwidth", "",
                                    "Factor that Colossal-AI's docs print, of one matrix"),
    result<&Row::printed_latency>("printed_latency", "",
                                  "Latencies that Colossal-AI's docs print, of one matrix"),
    result<&Row::optimus_elements>(
        "optimus_elements", "",
        "Sent as arXiv:2104.05343 prints it, with full recomputation; 0: not printed"),
};

constexpr ResultField results[] = {
    rows_result<&Results::schemes>("schemes", columns, "The four schemes for one layer"),
    choice_result<&Results::quickest>("quickest", partition_scheme_names,
                                      "The possible one that takes least time"),
};

Outcome<Results> compute(const Inputs& inputs) {
  Results found;
  found.schemes =
      commcost::partition_schemes(completed(inputs.shape), completed(inputs.work), inputs.partition);
  const Row* quickest = &found.schemes.front();
  for (const Row& row : found.schemes) {
    if (row.possible && row.time_us < quickest->time_us) quickest = &row;
  }
  found.quickest = quickest->scheme;
  return found;
}

}  // namespace

const Calculation partition_schemes = unswept_calculation<Inputs, Results, compute, results>(
    "partition_schemes", "One layer dealt out in one, two, two and a half and three dimensions", groups);

}  // namespace commcost::calculations
