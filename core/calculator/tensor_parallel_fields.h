#pragma once

#include "core/base/units.h"
#include "core/calculator/common_fields.h"
#include "core/exercise/answer.h"

namespace commcost::calculations {

inline constexpr double most_calls = 1048576;

/// The exercise's eight inputs; the last three are optional.
inline constexpr InputField tensor_parallel_fields[] = {
    hidden_size_field<&TensorParallelInputs::hidden_size>(greatest_exact_whole),
    sequence_length_field<&TensorParallelInputs::sequence_length>(greatest_exact_whole),
    batch_size_field<&TensorParallelInputs::batch_size>(greatest_exact_whole),
    group_gpus_field<&TensorParallelInputs::num_gpus>(),
    num_layers_field<&TensorParallelInputs::num_layers>(),
    bytes_per_element_field<&TensorParallelInputs::bytes_per_element>(1024),
    rank_bandwidth_field<&TensorParallelInputs::bandwidth_gb_per_sec>().or_default(300.0),
    whole<&TensorParallelInputs::allreduces_per_layer>(
        1, most_calls, "All-reduces per layer in a forward pass: one after attention, one after the MLP")
        .labelled("All-reduces per layer")
        .of_group("model")
        .or_default(2),
};

}  // namespace commcost::calculations
