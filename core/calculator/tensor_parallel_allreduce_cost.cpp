#include "core/base/units.h"
#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/parallel/tensor.h"

namespace commcost::calculations {
namespace {

using Inputs = TensorParallelInputs;
using Results = TensorParallelCost;

constexpr double most_gpus = 1048576;
constexpr double most_calls = 1048576;

constexpr InputField fields[] = {
    whole<&Inputs::hidden_size>("hidden_size", "", 1, greatest_exact_whole,
                                "Hidden dimension of the model: the width of the activation that is reduced"),
    whole<&Inputs::sequence_length>("sequence_length", "tokens", 1, greatest_exact_whole,
                                    "Tokens in a sequence"),
    whole<&Inputs::batch_size>("batch_size", "sequences", 1, greatest_exact_whole, "Micro-batch, sequences"),
    whole<&Inputs::num_gpus>("num_gpus", "GPUs", 1, most_gpus, "GPUs in the tensor-parallel group"),
    whole<&Inputs::num_layers>("num_layers", "layers", 1, most_calls, "Transformer layers"),
    whole<&Inputs::bytes_per_element>("bytes_per_element", "bytes", 1, 1024,
                                      "Bytes of an activation element: 2 for FP16 and BF16")
        .or_default(2),
    real<&Inputs::bandwidth_gb_per_sec>("bandwidth_gb_per_sec", "GB/s", 1e-6, 1e9,
                                        "Bandwidth of a GPU, one way; 1 GB/s is 1e9 B/s")
        .or_default(300.0),
    whole<&Inputs::allreduces_per_layer>(
        "allreduces_per_layer", "", 1, most_calls,
        "All-reduces of a layer in a forward pass: one after attention, one after the MLP")
        .or_default(2),
};

constexpr FieldGroup groups[] = {group<Inputs>(fields)};

constexpr ResultField results[] = {
    whole_result<&Results::message_size_bytes>("message_size_bytes", "bytes",
                                               "The activation tensor that is all-reduced"),
    result<&Results::comm_volume_per_allreduce_bytes>("comm_volume_per_allreduce_bytes", "bytes",
                                                      "Sent by each GPU in one ring all-reduce"),
    result<&Results::total_comm_volume_bytes>("total_comm_volume_bytes", "bytes",
                                              "Sent by each GPU in all layers of a forward pass"),
    result<&Results::total_comm_time_ms>("total_comm_time_ms", "ms",
                                         "That volume at the given bandwidth: no latency, no overlap"),
};

}  // namespace

const Calculation tensor_parallel_allreduce_cost =
    calculation<Inputs, Results, commcost::tensor_parallel_allreduce_cost, results>(
        "tensor_parallel_allreduce_cost", "What the all-reduces of tensor parallelism cost in a forward pass",
        groups);

}  // namespace commcost::calculations
