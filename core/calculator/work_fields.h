#pragma once

#include "core/calculator/filled_fields.h"
#include "core/model/work.h"

namespace commcost {

/// The inputs that describe a step's work, shared by every calculation of a step.
inline constexpr InputField work_fields[] = {
    whole<&Work::sequence_length>("sequence_length", "tokens", 1, 1099511627776, "Tokens in a sequence"),
    whole<&Work::batch_size>("batch_size", "sequences", 1, 1048576, "Micro-batch of a replica, sequences"),
    whole<&Work::global_batch_size>("global_batch_size", "sequences", 0, 1073741824,
                                    "Sequences a step; 0: one micro-batch for each replica")
        .or_default(0),
    whole<&Work::bytes_per_element>("bytes_per_element", "bytes", 1, 8,
                                    "Bytes of a weight or activation: 2 for FP16 and BF16")
        .or_default(2),
    choice<&Work::recompute>(
        "recompute", recompute_names,
        "What the backward pass computes again: nothing, the attention core, whole layers")
        .or_default(0),
    flag<&Work::causal_attention>("causal_attention",
                                  "Whether the masked half of the scores is not counted as FLOPs")
        .or_default(0),
    choice<&Work::mode>("mode", mode_names,
                        "Training, or inference: prefill of the prompt, decode of one token a sequence")
        .or_default(0),
    whole<&Work::optimizer_bytes_per_parameter>(
        "optimizer_bytes_per_parameter", "bytes", 0, 64,
        "Optimizer state of a parameter: 12 with an fp32 copy and two moments, 8 without the copy")
        .or_default(12),
};

/// Those of them that a recipe fills.
inline constexpr auto recipe_work_fields = filled_by(
    "recipe",
    {flag<&Work::flash_attention>("flash_attention", "Whether the attention core is never stored").optional(),
     flag<&Work::dropout>("dropout", "Whether dropout masks are stored").optional(),
     whole<&Work::gradient_bytes_per_element>(
         "gradient_bytes_per_element", "bytes", 0, 8,
         "Bytes of a weight's gradient as it is kept; 0: bytes_per_element")
         .optional()});

}  // namespace commcost
