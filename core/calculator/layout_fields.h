#pragma once

#include "core/calculator/common_fields.h"
#include "core/calculator/filled_fields.h"
#include "core/parallel/layout.h"

namespace commcost {

/// The inputs that spread a step over GPUs, shared by every calculation of a step.
inline constexpr InputField layout_fields[] = {
    whole<&Layout::tensor_parallel>("tensor_parallel", "GPUs", 1, 4096,
                                    "Tensor degree: GPUs that share each matrix")
        .or_default(1),
    flag<&Layout::sequence_parallel>("sequence_parallel",
                                     "Whether they share the tokens between the matrices too")
        .or_default(0),
    whole<&Layout::pipeline_parallel>("pipeline_parallel", "stages", 1, 4096,
                                      "Pipeline degree: stages of layers")
        .or_default(1),
    whole<&Layout::virtual_stages>("virtual_stages", "chunks", 1, 4096,
                                   "Chunks of layers a stage, for the interleaved schedule")
        .or_default(1),
    whole<&Layout::first_stage_layers>("first_stage_layers", "layers", 0, 65536,
                                       "Layers of the first of several stages; 0: as the others")
        .or_default(0),
    whole<&Layout::last_stage_layers>(
        "last_stage_layers", "layers", 0, 65536,
        "Layers of the last of several stages; 0: as the others, or what is left")
        .or_default(0),
    choice<&Layout::pipeline_schedule>("pipeline_schedule", pipeline_schedule_names,
                                       "Order in which stages work on micro-batches")
        .or_default(0),
    whole<&Layout::data_parallel>("data_parallel", "replicas", 1, 1048576, "Data degree: replicas")
        .or_default(1),
    whole<&Layout::zero_stage>("zero_stage", "", 0, 3,
                               "ZeRO: what replicas share: 1 optimizer, 2 gradients too, 3 weights too")
        .or_default(0),
    whole<&Layout::shard_group_size>(
        "shard_group_size", "GPUs", 0, 1048576,
        "GPUs among which ZeRO shards, out of data and context ranks, the others holding copies (HSDP); "
        "0: all")
        .or_default(0),
    whole<&Layout::context_parallel>("context_parallel", "GPUs", 1, 4096,
                                     "Context degree: GPUs that share each sequence")
        .or_default(1),
    whole<&Layout::expert_parallel>(
        "expert_parallel", "GPUs", 1, 65536,
        "Expert degree: GPUs, out of data and context ranks, that share a layer's experts")
        .or_default(1),
    cluster_gpus_field<&Layout::num_gpus>(),
    choice<&Layout::context_scheme>("context_scheme", context_scheme_names,
                                    "How GPUs that share a sequence exchange keys and values")
        .or_default(0),
    choice<&Layout::zero_gradients>("zero_gradients", zero_gradients_names,
                                    "How ZeRO-1 and ZeRO-2 reduce gradients")
        .or_default(0),
    flag<&Layout::accumulate_whole_gradients>(
        "accumulate_whole_gradients",
        "Whether ZeRO-2 holds gradients whole and scatters them once a step, not once a micro-batch")
        .or_default(0),
    real<&Layout::bucket_size_bytes>("bucket_size_bytes", "bytes", 0, 1e15,
                                     "Gradients that are reduced at once; 0: all")
        .or_default(256e6),
    flag<&Layout::fused_quantization>(
        "fused_quantization",
        "Whether changing the data type for the wire costs no memory traffic of its own")
        .or_default(0),
    real<&Layout::activation_wire_bytes_per_element>("activation_wire_bytes_per_element", "bytes", 0, 8,
                                                     "Bytes of an activation as sent; 0: bytes_per_element")
        .or_default(0),
    real<&Layout::gradient_wire_bytes_per_element>(
        "gradient_wire_bytes_per_element", "bytes", 0, 8,
        "Bytes of a weight's gradient as sent; 0: gradient_bytes_per_element")
        .or_default(0),
    real<&Layout::parameter_wire_bytes_per_element>("parameter_wire_bytes_per_element", "bytes", 0, 8,
                                                    "Bytes of a weight as sent; 0: bytes_per_element")
        .or_default(0),
};

/// Those of them that a recipe fills.
inline constexpr auto recipe_layout_fields = filled_by(
    "recipe",
    {flag<&Layout::scatter_gather>(
         "scatter_gather", "Whether each tensor rank sends a share between stages, gathered on arrival")
         .optional(),
     flag<&Layout::regather_input>("regather_input",
                                   "Whether the backward pass gathers sequence-parallel inputs again")
         .optional(),
     flag<&Layout::overlap_tensor>("overlap_tensor",
                                   "Whether weight gradients hide the tensor traffic of the backward pass")
         .optional(),
     flag<&Layout::overlap_tensor_forward>(
         "overlap_tensor_forward",
         "Whether products hide, piece by piece, what sequence ranks gather and scatter round them")
         .optional(),
     flag<&Layout::balanced_stages>("balanced_stages",
                                    "Whether the last stage gets fewer layers for its LM head")
         .optional(),
     flag<&Layout::overlap_data>("overlap_data",
                                 "Whether compute hides gradient buckets and gathered weights")
         .optional(),
     flag<&Layout::overlap_param_gather>(
         "overlap_param_gather",
         "Whether the next forward pass hides the weights that ZeRO-1 and ZeRO-2 gather after the update")
         .optional()});

}  // namespace commcost
