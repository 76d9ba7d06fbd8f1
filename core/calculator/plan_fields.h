#pragma once

#include "core/calculator/machine_fields.h"
#include "core/calculator/setting_fields.h"
#include "core/calculator/token_budget_field.h"
#include "core/plan/space.h"

namespace commcost {

/// The inputs that say what is to be trained and within which bounds, shared by every calculation that
/// searches.
inline constexpr InputField plan_fields[] = {
    whole<&PlanInputs::num_gpus>("num_gpus", "GPUs", 1, 1048576, "GPUs to use, all of them"),
    whole<&PlanInputs::global_batch_size>("global_batch_size", "sequences", 1, 1073741824,
                                          "Sequences a step"),
    whole<&PlanInputs::sequence_length>("sequence_length", "tokens", 1, 1099511627776,
                                        "Tokens in a sequence"),
    whole<&PlanInputs::bytes_per_element>("bytes_per_element", "bytes", 1, 8,
                                          "Bytes of a weight or activation")
        .or_default(2),
    whole<&PlanInputs::optimizer_bytes_per_parameter>("optimizer_bytes_per_parameter", "bytes", 0, 64,
                                                      "Optimizer state of a parameter")
        .or_default(12),
    flag<&PlanInputs::causal_attention>("causal_attention",
                                        "Whether the masked half of the scores is not counted as FLOPs")
        .or_default(0),
    flag<&PlanInputs::zero_bubble_2p>(
        "zero_bubble_2p", "Whether to try the schedule without a bubble that holds twice the activations too")
        .or_default(0),
    some_of<&PlanInputs::allowed_schedules>("allowed_schedules", pipeline_schedule_names,
                                            "Orders of a pipeline's work that may be used"),
    some_of<&PlanInputs::allowed_recomputations>("allowed_recomputations", recompute_names,
                                                 "Kinds of recomputation that may be used"),
    numbers<&PlanInputs::allowed_zero_stages>("allowed_zero_stages", "", 0, 4,
                                              "ZeRO stages that may be used; none given: all")
        .optional(),
    numbers<&PlanInputs::allowed_context_degrees>("allowed_context_degrees", "GPUs", 0, 64,
                                                  "Context degrees that may be used; none given: all")
        .optional(),
    numbers<&PlanInputs::allowed_expert_degrees>("allowed_expert_degrees", "GPUs", 0, 64,
                                                 "Expert degrees that may be used; none given: all")
        .optional(),
    real<&PlanInputs::memory_limit_gib>("memory_limit_gib", "GiB", 0, 1e6,
                                        "Memory of a GPU to use at most; 0: all that it can give")
        .or_default(0),
    token_budget_field<&PlanInputs::token_budget>(),
};

/// The fields of PlanInputs, a base of `Inputs`.
template <class Inputs>
inline constexpr FieldGroup plan_groups[] = {
    {recipe_field, [](void* inputs) -> void* { return &static_cast<Inputs*>(inputs)->stack; }},
    {model_field, [](void* inputs) -> void* { return &static_cast<Inputs*>(inputs)->shape; }},
    {model_shape_fields, [](void* inputs) -> void* { return &static_cast<Inputs*>(inputs)->shape; }},
    {recipe_work_fields, [](void* inputs) -> void* { return &static_cast<Inputs*>(inputs)->stack.work; }},
    {recipe_layout_fields, [](void* inputs) -> void* { return &static_cast<Inputs*>(inputs)->stack.layout; }},
    group<Inputs, PlanInputs>(plan_fields),
};

}  // namespace commcost
