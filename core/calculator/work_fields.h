#pragma once

#include "core/calculator/common_fields.h"
#include "core/calculator/filled_fields.h"
#include "core/model/work.h"

namespace commcost {

/// The inputs that describe a step's work, shared by every calculation of a step.
inline constexpr auto work_fields = of_group(
    "work", {
                sequence_length_field<&Work::sequence_length>(most_tokens),
                batch_size_field<&Work::batch_size>(most_batch),
                global_batch_size_field<&Work::global_batch_size>(),
                bytes_per_element_field<&Work::bytes_per_element>(most_bytes),
                matmul_precision_field<&Work::matmul_precision>(),
                activation_bytes_field<&Work::activation_bytes_per_element>(),
                choice<&Work::recompute>(recompute_names,
                                         "Activation recomputation in the backward pass: none, the "
                                         "parts named by the recompute_ fields, or whole layers")
                    .labelled("Recomputation")
                    .or_default(0),
                whole<&Work::recomputed_layers>(0, 1048576,
                                                "Layers per stage that full recomputation repeats, counted "
                                                "from the first; the others keep their activations; 0: all")
                    .in("layers")
                    .labelled("Layers recomputed per stage")
                    .or_default(0),
                whole<&Work::offloaded_layers>(
                    0, 1048576,
                    "Layers of each stage whose activations wait in host memory for their backward "
                    "pass")
                    .in("layers")
                    .labelled("Layers offloaded per stage")
                    .or_default(0),
                real<&Work::offloaded_optimizer_percent>(
                    0, 100, "Share of the optimizer state that the host keeps and updates")
                    .labelled("Optimizer on the host")
                    .or_default(0),
                causal_attention_field<&Work::causal_attention>(),
                optimizer_bytes_field<&Work::optimizer_bytes_per_parameter>(),
                expert_imbalance_field<&Work::expert_imbalance_percent>(),
                expert_capacity_field<&Work::expert_capacity_factor>(),
                expert_padding_field<&Work::pad_expert_inputs>(),
            });

/// Training or serving: given where both are answered.
inline constexpr InputField mode_field[] = {
    choice<&Work::mode>(mode_names,
                        "Pass: training, prefill of the prompt, or decode of one token per sequence")
        .labelled("Pass")
        .of_group("work")
        .shown()
        .or_default(0)};

/// Those of them that a recipe fills.
inline constexpr auto recipe_work_fields = of_group(
    "recipe",
    filled_by(
        "recipe",
        {flag<&Work::flash_attention>(
             "Whether attention is fused (FlashAttention): its scores are never stored")
             .labelled("FlashAttention")
             .optional(),
         flag<&Work::dropout>("Whether dropout masks are stored").optional(),
         flag<&Work::recompute_attention_core>("Whether selective recomputation repeats the attention core")
             .labelled("Recompute the attention core")
             .optional(),
         flag<&Work::recompute_elementwise>(
             "Whether selective recomputation repeats norms, rotary positions, and activation functions")
             .labelled("Recompute norms and activations")
             .optional(),
         flag<&Work::recompute_latent_projections>(
             "Whether selective recomputation repeats latent attention's up-projections")
             .labelled("Recompute MLA up-projections")
             .optional(),
         flag<&Work::recompute_products>("Whether selective recomputation repeats every other matrix "
                                         "product, as PyTorch does by operation")
             .labelled("Recompute other GEMMs")
             .optional(),
         flag<&Work::grouped_experts>("Whether one grouped GEMM multiplies for all routed experts of a GPU; "
                                      "otherwise they run one after another")
             .labelled("Grouped GEMM for experts")
             .optional(),
         choice<&Work::fp8_scaling>(fp8_scaling_names,
                                    "Scaling of FP8 products: one factor for a tensor, for each row, or for "
                                    "each block of 128")
             .labelled("FP8 scaling")
             .optional(),
         whole<&Work::gradient_bytes_per_element>(0, 8, "Bytes per gradient as stored; 0: bytes_per_element")
             .labelled("Stored gradient bytes")
             .optional()}));

}  // namespace commcost
