#pragma once

#include "core/calculator/common_fields.h"
#include "core/calculator/filled_fields.h"
#include "core/collective/token_exchange.h"
#include "core/parallel/layout.h"

namespace commcost {

/// The inputs that spread a step over GPUs, shared by every calculation of a step.
inline constexpr auto layout_fields = of_group(
    "layout",
    {
        whole<&Layout::tensor_parallel>(1, 4096, "Tensor degree: GPUs that share each matrix")
            .in("GPUs")
            .labelled("TP")
            .shown()
            .or_default(1),
        flag<&Layout::sequence_parallel>(
            "Whether TP also splits the tokens between the matrices (sequence parallelism)")
            .labelled("Sequence parallelism")
            .or_default(0),
        whole<&Layout::pipeline_parallel>(1, 4096, "Pipeline degree: stages of the pipeline")
            .in("stages")
            .labelled("PP")
            .shown()
            .or_default(1),
        whole<&Layout::virtual_stages>(1, 4096, "Chunks of layers per stage, for the interleaved schedule")
            .in("chunks")
            .labelled("Chunks per stage (VPP)")
            .or_default(1),
        whole<&Layout::first_stage_layers>(
            0, 65536, "Layers of the first stage, if there are several; 0: as in the others")
            .labelled("First-stage layers")
            .or_default(0),
        whole<&Layout::last_stage_layers>(
            0, 65536, "Layers of the last stage, if there are several; 0: as in the others, or the rest")
            .labelled("Last-stage layers")
            .or_default(0),
        choice<&Layout::pipeline_schedule>(
            pipeline_schedule_names, "Pipeline schedule: the order in which stages work on micro-batches")
            .or_default(0),
        whole<&Layout::data_parallel>(1, 1048576, "Data degree: replicas")
            .in("replicas")
            .labelled("DP")
            .shown()
            .or_default(1),
        whole<&Layout::zero_stage>(
            0, 3, "ZeRO stage: replicas shard the optimizer (1), gradients too (2), weights too (3)")
            .labelled("ZeRO stage")
            .or_default(0),
        whole<&Layout::shard_group_size>(
            0, 1048576,
            "GPUs over which ZeRO shards, out of the DP and CP ranks; the others hold copies (HSDP); 0: all")
            .in("GPUs")
            .labelled("Shard group (HSDP)")
            .or_default(0),
        whole<&Layout::context_parallel>(1, 4096, "Context degree: GPUs that share each sequence")
            .in("GPUs")
            .labelled("CP")
            .shown()
            .or_default(1),
        whole<&Layout::expert_parallel>(
            1, 65536, "Expert degree: GPUs of a stage over which a layer's experts are spread")
            .in("GPUs")
            .labelled("EP")
            .shown()
            .or_default(1),
        whole<&Layout::expert_tensor_parallel>(
            0, 65536, "Expert-tensor degree: GPUs that share each expert's matrices; 0: as tensor_parallel")
            .in("GPUs")
            .labelled("ETP")
            .or_default(0),
        cluster_gpus_field<&Layout::cluster_gpus>(),
        choice<&Layout::zero_gradients>(zero_gradients_names,
                                        "The collective by which ZeRO-1 and ZeRO-2 reduce gradients")
            .labelled("ZeRO gradient reduction")
            .or_default(0),
        flag<&Layout::accumulate_whole_gradients>(
            "Whether ZeRO-2 holds whole gradients and scatters them once per step, not once per micro-batch")
            .labelled("Accumulate unsharded gradients")
            .or_default(0),
        real<&Layout::bucket_size_bytes>(0, 1e15, "Bytes of gradients reduced at once; 0: all")
            .labelled("Gradient bucket")
            .or_default(256e6),
        flag<&Layout::fused_quantization>(
            "Whether conversion to the wire's data type is fused, without memory traffic of its own")
            .of_group("recipe")
            .or_default(0),
        real<&Layout::activation_wire_bytes_per_element>(
            0, 8, "Bytes per activation on the wire; 0: bytes_per_element")
            .labelled("Activation bytes on the wire")
            .of_group("recipe")
            .or_default(0),
        real<&Layout::gradient_wire_bytes_per_element>(
            0, 8, "Bytes per gradient on the wire; 0: gradient_bytes_per_element")
            .labelled("Gradient bytes on the wire")
            .of_group("recipe")
            .or_default(0),
        real<&Layout::parameter_wire_bytes_per_element>(0, 8,
                                                        "Bytes per weight on the wire; 0: bytes_per_element")
            .labelled("Weight bytes on the wire")
            .of_group("recipe")
            .or_default(0),
    });

/// Those of them that a recipe fills.
inline constexpr auto recipe_layout_fields = of_group(
    "recipe",
    filled_by(
        "recipe",
        {flag<&Layout::scatter_gather>(
             "Whether each GPU sends its share to the next stage, where they are gathered")
             .labelled("Scatter-gather in PP send/recv")
             .optional(),
         flag<&Layout::regather_input>("Whether the backward pass gathers sequence-parallel inputs again")
             .labelled("Regather inputs in backward")
             .optional(),
         flag<&Layout::overlap_tensor>(
             "Whether the backward pass's TP communication overlaps with weight gradients")
             .labelled("Overlap backward TP communication")
             .optional(),
         flag<&Layout::overlap_tensor_forward>("Whether sequence parallelism's all-gathers and "
                                               "reduce-scatters overlap with GEMMs, chunk by chunk")
             .labelled("Overlap forward TP communication")
             .optional(),
         flag<&Layout::balanced_stages>(
             "Whether the last stage gets fewer layers, to make up for its LM head")
             .labelled("Fewer layers on the LM-head stage")
             .optional(),
         flag<&Layout::overlap_data>("Whether gradient reduction and weight gathering overlap with compute")
             .labelled("Overlap DP communication")
             .optional(),
         flag<&Layout::overlap_param_gather>(
             "Whether ZeRO-1's and ZeRO-2's gathering of updated weights overlaps with the next forward pass")
             .labelled("Overlap the parameter gather")
             .optional(),
         flag<&Layout::overlap_expert>("Whether token exchanges overlap with the compute of another "
                                       "micro-batch (DualPipe, batch overlap)")
             .labelled("Overlap token exchange")
             .optional(),
         choice<&Layout::context_scheme>(context_scheme_names,
                                         "The scheme by which context ranks exchange keys and values")
             .labelled("CP scheme")
             .optional(),
         choice<&Layout::expert_exchange>(
             exchange_kernel_names,
             "Token dispatcher: NCCL (an all-to-all; servers gather all tokens), or kernels that send one "
             "copy per expert (low_latency), per GPU (by_rank), or per node and on over NVLink (normal)")
             .labelled("Token dispatcher")
             .optional(),
         real<&Layout::dispatch_wire_bytes_per_element>(
             0, 8, "Bytes per element of tokens sent to experts; 0: activation_wire_bytes_per_element")
             .labelled("Dispatch bytes on the wire")
             .optional(),
         real<&Layout::combine_wire_bytes_per_element>(
             0, 8, "Bytes per element of what experts return; 0: activation_wire_bytes_per_element")
             .labelled("Combine bytes on the wire")
             .optional()}));

}  // namespace commcost
