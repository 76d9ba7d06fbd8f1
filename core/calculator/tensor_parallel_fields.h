#pragma once

#include "core/base/field.h"
#include "core/base/units.h"
#include "core/exercise/answer.h"

namespace commcost::calculations {

inline constexpr double most_gpus = 1048576;
inline constexpr double most_calls = 1048576;

/// The exercise's eight inputs; the last three are optional.
inline constexpr InputField tensor_parallel_fields[] = {
    whole<&TensorParallelInputs::hidden_size>(
        "hidden_size", "", 1, greatest_exact_whole,
        "Hidden dimension of the model: the width of the activation that is reduced"),
    whole<&TensorParallelInputs::sequence_length>("sequence_length", "tokens", 1, greatest_exact_whole,
                                                  "Tokens in a sequence"),
    whole<&TensorParallelInputs::batch_size>("batch_size", "sequences", 1, greatest_exact_whole,
                                             "Micro-batch, sequences"),
    whole<&TensorParallelInputs::num_gpus>("num_gpus", "GPUs", 1, most_gpus,
                                           "GPUs in the tensor-parallel group"),
    whole<&TensorParallelInputs::num_layers>("num_layers", "layers", 1, most_calls, "Transformer layers"),
    whole<&TensorParallelInputs::bytes_per_element>("bytes_per_element", "bytes", 1, 1024,
                                                    "Bytes of an activation element: 2 for FP16 and BF16")
        .or_default(2),
    real<&TensorParallelInputs::bandwidth_gb_per_sec>("bandwidth_gb_per_sec", "GB/s", 1e-6, 1e9,
                                                      "Bandwidth of a GPU, one way; 1 GB/s is 1e9 B/s")
        .or_default(300.0),
    whole<&TensorParallelInputs::allreduces_per_layer>(
        "allreduces_per_layer", "", 1, most_calls,
        "All-reduces of a layer in a forward pass: one after attention, one after the MLP")
        .or_default(2),
};

}  // namespace commcost::calculations
