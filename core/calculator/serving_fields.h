#pragma once

#include "core/calculator/job_fields.h"
#include "core/serving/serving_step.h"

// What a server does beyond a training step: inputs of serving_step alone, and those of a job that it
// takes.
namespace commcost {

/// What a step of a server does: the two modes in mode_names that answer requests.
inline constexpr std::string_view serving_mode_names[] = {"prefill", "decode"};

/// A step whose mode is asked for: its choices are two of Mode's three, so that it has a member of its own.
struct AnsweringInputs : ServingStepInputs {
  AnsweringInputs() { job.layout.data_parallel = 0; }

  int answers = 1;  ///< of serving_mode_names
};

inline ServingStepInputs step_of(const AnsweringInputs& inputs) {
  ServingStepInputs step = inputs;
  step.job.work.mode = inputs.answers == 0 ? Mode::prefill : Mode::decode;
  return step;
}

inline constexpr InputField answering_field[] = {
    choice<&AnsweringInputs::answers>(
        serving_mode_names,
        "Mode of the step: prefill of the prompts, or decode of one token for each sequence")
        .named("mode")
        .labelled("Pass")
        .or_default(1)};

/// Copies of the tensor ranks that serve side by side.
inline constexpr InputField groups_field[] = {
    whole<&Layout::data_parallel>(
        0, 1048576, "TP groups, each with sequences of its own; 0: those that the experts are spread over")
        .in("groups")
        .labelled("DP")
        .shown()
        .or_default(0)};

/// Those that a recipe fills.
inline constexpr auto serving_stack_fields = filled_by(
    "recipe",
    {allreduce_kernel_field<&ServingPace::allreduce_kernel>().optional(),
     choice<&ServingPace::kernel_library>(kernel_library_names,
                                          "Library of kernels; any: all measured libraries together")
         .labelled("Kernel library")
         .optional(),
     real<&ServingPace::kernel_start_us>(
         0, 1e6, "Start-up time of each kernel on the GPU, beyond what it takes alone in a CUDA graph")
         .optional(),
     real<&ServingPace::allreduce_start_us>(
         0, 1e6, "Extra start-up time of an all-reduce that compute waits for, beyond its kernel's own")
         .optional(),
     real<&ServingPace::sequence_host_us>(0, 1e6,
                                          "Host time of a step for each sequence, while the GPU waits")
         .optional(),
     whole<&ServingPace::micro_batch_tokens>(
         0, 1048576,
         "Tokens above which a batch is halved into micro-batches for the pipeline stages; 0: it stays whole")
         .in("tokens")
         .labelled("Largest pipeline micro-batch")
         .optional()});

inline constexpr InputField serving_type_fields[] = {
    real<&Work::weight_bytes_per_element>(0, 8, "Bytes of a weight in the layers; 0: bytes_per_element")
        .labelled("Weight precision")
        .or_default(0),
    real<&Work::kv_bytes_per_element>(
        0, 8, "Bytes of an element of the cached keys and values; 0: bytes_per_element")
        .labelled("KV-cache precision")
        .or_default(0),
};

inline constexpr double most_request_tokens = 1048576;
inline constexpr double most_step_tokens = 1048576;

template <auto Member>
constexpr InputField step_tokens_field() {
  return whole<Member>(
             1, most_step_tokens,
             "Maximum number of tokens in a step: one for each sequence, and chunks of prompts. The server "
             "keeps memory for their activations")
      .labelled("Max tokens per step")
      .or_default(8192);
}
inline constexpr InputField step_tokens_of_server[] = {step_tokens_field<&Work::step_tokens>()};

/// What comes back for a prompt.
inline constexpr InputField answer_fields[] = {
    whole<&ServingStepInputs::output_tokens>(1, most_request_tokens, "Tokens of a request's answer")
        .labelled("Output length (OSL)")
        .or_default(256)};

namespace detail {

inline void fill_serving_recipe(void* job, std::size_t place) {
  fill_recipe(job, usual_serving_recipe + place);
}

}  // namespace detail

/// A stack that serves.
inline constexpr InputField serving_recipe_field[] = {
    preset<detail::fill_serving_recipe>(
        "recipe", std::span(recipe_ids).subspan(usual_serving_recipe),
        "Software stack that serves, an id in recipe_catalog; fills in its settings")
        .labelled(recipe_field[0].field.label)
        .or_default(0)};

inline constexpr auto served_work_fields = picked(work_fields, {"bytes_per_element", "matmul_precision"});
inline constexpr auto served_recipe_work_fields =
    picked(recipe_work_fields, {"flash_attention", "grouped_experts", "fp8_scaling"});
inline constexpr auto served_layout_fields = picked(recipe_layout_fields, {"expert_exchange"});
inline constexpr auto served_stack_fields =
    picked(stack_fields, {"gemm_time_scale", "grouped_gemm_time_scale", "attention_time_scale",
                          "elementwise_time_scale", "host_us_per_kernel", "cuda_graphs"});

/// A model, its types and the stack that serves it: the fields of ServingStepInputs, a base of `Inputs`, but
/// for batch and layout.
template <class Inputs>
inline constexpr FieldGroup server_groups[] = {
    of_job<Inputs>(serving_recipe_field),
    of_job<Inputs, &Job::model>(model_field),
    of_job<Inputs, &Job::model>(model_shape_fields),
    of_job<Inputs, &Job::work>(served_work_fields),
    of_job<Inputs, &Job::work>(served_recipe_work_fields),
    of_job<Inputs, &Job::work>(serving_type_fields),
    of_job<Inputs, &Job::layout>(served_layout_fields),
    of_job<Inputs, &Job::stack>(served_stack_fields),
    of_job<Inputs, &Job::stack, &Stack::serving>(serving_stack_fields),
};

}  // namespace commcost
