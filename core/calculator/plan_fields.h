#pragma once

#include "core/calculator/common_fields.h"
#include "core/calculator/job_fields.h"
#include "core/calculator/machine_fields.h"
#include "core/calculator/token_budget_field.h"
#include "core/plan/settings.h"

namespace commcost {

namespace detail {

template <auto Member>
AllowedValues& allowed_values(void* owner) {
  return static_cast<AllowedLayouts*>(owner)->*Member;
}

}  // namespace detail

/// A layout's field of `table` as a pin (member: what a search may choose for it): if left out, it is
/// searched.
template <auto Member, class Table>
consteval InputField pin(const Table& table) {
  const InputField* given = nullptr;
  for (const InputField& input : table) {
    if (input.field.name == detail::member_name<Member>) given = &input;
  }
  InputField field = *given;
  field.scalar = Scalar::real;
  field.member = [](void* owner) -> void* { return &detail::allowed_values<Member>(owner).pinned; };
  return field.optional();
}

/// Some values of a field that a search decides; if none are given, all.
template <auto Member>
constexpr InputField allowed_numbers(std::string_view name, double greatest, std::string_view help) {
  return InputField{{name, FieldKind::numbers, detail::unit_in(name), 0, greatest, help},
                    Scalar::none,
                    nullptr,
                    [](void* owner, const FieldValue& from) {
                      const Value::Numbers* given = from.value == nullptr ? nullptr : from.value->numbers();
                      detail::allowed_values<Member>(owner).listed =
                          given == nullptr ? Value::Numbers() : *given;
                    }}
      .optional();
}

/// Some choices of a field that a search decides; if none are given, all.
template <auto Member>
constexpr InputField allowed_choices(std::string_view name, std::span<const std::string_view> choices,
                                     std::string_view help) {
  return InputField{{name, FieldKind::list, "", 1, static_cast<double>(choices.size()), help, choices},
                    Scalar::none,
                    nullptr,
                    [](void* owner, const FieldValue& from) {
                      Value::Numbers& listed = detail::allowed_values<Member>(owner).listed;
                      listed.clear();
                      auto bits = static_cast<std::uint32_t>(from.number);
                      for (int choice = 0; bits != 0; ++choice, bits >>= 1)
                        if ((bits & 1) != 0) listed.push_back(choice);
                    }}
      .optional();
}

/// The cluster of a search.
inline constexpr InputField plan_layout_fields[] = {needed(cluster_gpus_field<&Layout::cluster_gpus>())};

/// The work that every layout of a search shares.
inline constexpr InputField plan_work_fields[] = {
    needed(global_batch_size_field<&Work::global_batch_size>()),
    sequence_length_field<&Work::sequence_length>(most_tokens),
    bytes_per_element_field<&Work::bytes_per_element>(most_bytes),
    matmul_precision_field<&Work::matmul_precision>(),
    activation_bytes_field<&Work::activation_bytes_per_element>(),
    optimizer_bytes_field<&Work::optimizer_bytes_per_parameter>(),
    causal_attention_field<&Work::causal_attention>(),
    expert_imbalance_field<&Work::expert_imbalance_percent>(),
    expert_capacity_field<&Work::expert_capacity_factor>(),
    expert_padding_field<&Work::pad_expert_inputs>(),
};

/// What the stack recomputes or keeps in host memory, beyond the kind of recomputation.
inline constexpr auto plan_kept_fields =
    picked(work_fields, {"recomputed_layers", "offloaded_layers", "offloaded_optimizer_percent"});

/// The fields that a search decides, each of which may be pinned.
inline constexpr InputField plan_pins[] = {
    pin<&AllowedLayouts::tensor_parallel>(layout_fields),
    pin<&AllowedLayouts::sequence_parallel>(layout_fields),
    pin<&AllowedLayouts::pipeline_parallel>(layout_fields),
    pin<&AllowedLayouts::virtual_stages>(layout_fields),
    pin<&AllowedLayouts::pipeline_schedule>(layout_fields),
    pin<&AllowedLayouts::data_parallel>(layout_fields),
    pin<&AllowedLayouts::zero_stage>(layout_fields),
    pin<&AllowedLayouts::context_parallel>(layout_fields),
    pin<&AllowedLayouts::expert_parallel>(layout_fields),
    pin<&AllowedLayouts::expert_tensor_parallel>(layout_fields),
    pin<&AllowedLayouts::batch_size>(work_fields),
    pin<&AllowedLayouts::recompute>(work_fields),
};

/// Where a search may choose among several values, but not among all.
inline constexpr InputField plan_lists[] = {
    allowed_choices<&AllowedLayouts::pipeline_schedule>("allowed_schedules", pipeline_schedule_names,
                                                        "Pipeline schedules to consider"),
    allowed_choices<&AllowedLayouts::recompute>("allowed_recomputations", recompute_names,
                                                "Kinds of recomputation to consider"),
    allowed_numbers<&AllowedLayouts::zero_stage>("allowed_zero_stages", 4,
                                                 "ZeRO stages to consider; none given: all"),
    allowed_numbers<&AllowedLayouts::tensor_parallel>("allowed_tensor_degrees", 64,
                                                      "Tensor degrees to consider; none given: all"),
    allowed_numbers<&AllowedLayouts::context_parallel>("allowed_context_degrees", 64,
                                                       "Context degrees to consider; none given: all"),
    allowed_numbers<&AllowedLayouts::expert_parallel>("allowed_expert_degrees", 64,
                                                      "Expert degrees to consider; none given: all"),
    allowed_numbers<&AllowedLayouts::expert_tensor_parallel>(
        "allowed_expert_tensor_degrees", 64, "Expert-tensor degrees to consider; none given: all"),
};

/// Software settings that a search decides too; if none are given, none.
inline constexpr InputField plan_settings[] = {InputField{
    {"searched_settings", FieldKind::list, "", 0, static_cast<double>(std::size(setting_names)),
     "Software settings to search as well, in at most 64 combinations of the values that the stack and the "
     "GPU have",
     setting_names},
    Scalar::none,
    nullptr,
    [](void* owner, const FieldValue& from) {
      static_cast<PlanInputs*>(owner)->searched_settings = static_cast<std::uint32_t>(from.number);
    }}.labelled("Settings to search")
                                                   .optional()};
static_assert(most_combinations == 64);

/// The bounds within which a search looks, shared by every calculation that searches.
inline constexpr InputField plan_fields[] = {
    flag<&PlanInputs::zero_bubble_2p>("Whether to consider ZB-2p as well: no bubble, twice the activations")
        .labelled("Allow ZB-2P")
        .or_default(0),
    real<&PlanInputs::memory_limit_gib>(0, 1e6,
                                        "Memory per GPU that a layout may use; 0: all that is available")
        .or_default(0),
    real<&PlanInputs::memory_headroom_percent>(
        0, 99, "Memory a layout should leave free: those that leave less rank lower")
        .or_default(8),
    token_budget_field<&PlanInputs::token_budget>(),
    real<&PlanInputs::price_per_gpu_hour>(0, 1e6, "Price per GPU-hour, in any currency; 0: none")
        .labelled("Price per GPU-hour")
        .or_default(0),
};

/// Layout fields that a search does not decide: every layout that it tries has them as given.
inline constexpr auto given_layout_fields =
    picked(layout_fields, {"first_stage_layers", "last_stage_layers", "shard_group_size", "zero_gradients",
                           "accumulate_whole_gradients", "bucket_size_bytes", "fused_quantization",
                           "activation_wire_bytes_per_element", "gradient_wire_bytes_per_element",
                           "parameter_wire_bytes_per_element"});

/// The fields of what a search may choose.
template <class Inputs>
constexpr FieldGroup of_allowed(std::span<const InputField> fields) {
  return {fields, [](void* inputs) -> void* { return &static_cast<Inputs*>(inputs)->allowed; }};
}

/// The fields of PlanInputs, a base of `Inputs`.
template <class Inputs>
inline constexpr FieldGroup plan_groups[] = {
    of_job<Inputs>(training_recipe_field),
    of_job<Inputs, &Job::model>(model_field),
    of_job<Inputs, &Job::model>(model_shape_fields),
    of_job<Inputs, &Job::work>(recipe_work_fields),
    of_job<Inputs, &Job::layout>(recipe_layout_fields),
    of_job<Inputs, &Job::stack>(stack_fields),
    of_job<Inputs, &Job::layout>(given_layout_fields),
    of_job<Inputs, &Job::layout>(plan_layout_fields),
    of_job<Inputs, &Job::work>(plan_work_fields),
    of_job<Inputs, &Job::work>(plan_kept_fields),
    of_allowed<Inputs>(plan_pins),
    of_allowed<Inputs>(plan_lists),
    group<Inputs, PlanInputs>(plan_fields),
    group<Inputs, PlanInputs>(plan_settings),
};

}  // namespace commcost
