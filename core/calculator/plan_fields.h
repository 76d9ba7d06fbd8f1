#pragma once

#include "core/calculator/common_fields.h"
#include "core/calculator/job_fields.h"
#include "core/calculator/machine_fields.h"
#include "core/calculator/token_budget_field.h"
#include "core/plan/space.h"

namespace commcost {

/// The cluster of a search.
inline constexpr InputField plan_layout_fields[] = {needed(cluster_gpus_field<&Layout::cluster_gpus>())};

/// What every layout that a search tries works on.
inline constexpr InputField plan_work_fields[] = {
    needed(global_batch_size_field<&Work::global_batch_size>()),
    sequence_length_field<&Work::sequence_length>(most_tokens),
    bytes_per_element_field<&Work::bytes_per_element>(most_bytes),
    matmul_precision_field<&Work::matmul_precision>(),
    activation_bytes_field<&Work::activation_bytes_per_element>(),
    optimizer_bytes_field<&Work::optimizer_bytes_per_parameter>(),
    causal_attention_field<&Work::causal_attention>(),
    expert_imbalance_field<&Work::expert_imbalance_percent>(),
};

/// The bounds within which a search looks, shared by every calculation that searches.
inline constexpr InputField plan_fields[] = {
    flag<&PlanInputs::zero_bubble_2p>("Whether to consider ZB-2p as well: no bubble, twice the activations")
        .labelled("Allow ZB-2P and DualPipe")
        .or_default(0),
    some_of<&PlanInputs::allowed_schedules>(pipeline_schedule_names, "Pipeline schedules to consider"),
    some_of<&PlanInputs::allowed_recomputations>(recompute_names, "Kinds of recomputation to consider"),
    numbers<&PlanInputs::allowed_zero_stages>(0, 4, "ZeRO stages to consider; none given: all").optional(),
    numbers<&PlanInputs::allowed_tensor_degrees>(0, 64, "Tensor degrees to consider; none given: all")
        .optional(),
    numbers<&PlanInputs::allowed_context_degrees>(0, 64, "Context degrees to consider; none given: all")
        .optional(),
    numbers<&PlanInputs::allowed_expert_degrees>(0, 64, "Expert degrees to consider; none given: all")
        .optional(),
    numbers<&PlanInputs::allowed_expert_tensor_degrees>(0, 64,
                                                        "Expert-tensor degrees to consider; none given: all")
        .optional(),
    real<&PlanInputs::memory_limit_gib>(0, 1e6, "Most memory of a GPU to use; 0: all that is available")
        .or_default(0),
    real<&PlanInputs::memory_headroom_percent>(
        0, 99, "Memory a layout should leave free: those that leave less rank lower")
        .or_default(8),
    token_budget_field<&PlanInputs::token_budget>(),
    real<&PlanInputs::price_per_gpu_hour>(0, 1e6, "Price per GPU-hour, in any currency; 0: none")
        .labelled("Price per GPU-hour")
        .or_default(0),
};

/// What a search does not decide of a layout: every layout that it tries has it as given.
inline constexpr auto given_layout_fields =
    picked(layout_fields, {"first_stage_layers", "last_stage_layers", "shard_group_size", "zero_gradients",
                           "accumulate_whole_gradients", "bucket_size_bytes", "fused_quantization",
                           "activation_wire_bytes_per_element", "gradient_wire_bytes_per_element",
                           "parameter_wire_bytes_per_element"});

/// The fields of PlanInputs, a base of `Inputs`.
template <class Inputs>
inline constexpr FieldGroup plan_groups[] = {
    of_job<Inputs>(recipe_field),
    of_job<Inputs, &Job::model>(model_field),
    of_job<Inputs, &Job::model>(model_shape_fields),
    of_job<Inputs, &Job::work>(recipe_work_fields),
    of_job<Inputs, &Job::layout>(recipe_layout_fields),
    of_job<Inputs, &Job::stack>(stack_fields),
    of_job<Inputs, &Job::layout>(given_layout_fields),
    of_job<Inputs, &Job::layout>(plan_layout_fields),
    of_job<Inputs, &Job::work>(plan_work_fields),
    group<Inputs, PlanInputs>(plan_fields),
};

}  // namespace commcost
