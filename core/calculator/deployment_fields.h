#pragma once

#include "core/calculator/serving_fields.h"
#include "core/plan/serving_plan.h"

// Inputs and results of calculations that choose deployments.
namespace commcost {

inline constexpr double most_servers_gpus = 1024;

inline constexpr InputField sought_step_field[] = {
    whole<&Work::step_tokens>(0, most_step_tokens,
                              "Maximum number of tokens in a step: one for each sequence, and chunks of "
                              "prompts; 0: the number that serves most, up to 16384")
        .labelled("Max tokens per step")
        .or_default(0),
};

/// How many GPUs, which prompts and which latency limits: fields of `Inputs` alone.
template <class Inputs>
inline constexpr InputField service_fields[] = {
    whole<&Inputs::cluster_gpus>(1, most_servers_gpus, "GPUs that run the servers")
        .formerly("serving_gpus")
        .labelled("Serving GPUs")
        .or_default(8),
    whole<&Inputs::prompt_tokens>(1, most_request_tokens, "Tokens of a request's prompt")
        .labelled("Input length (ISL)")
        .or_default(1024),
    real<&Inputs::requests_per_sec>(
        0, 1e9,
        "Requests per second that must be served, which decides how many servers it takes; 0: the most that "
        "the GPUs can serve")
        .labelled("Request rate")
        .in("1/s")
        .or_default(0),
    real<&Inputs::most_token_ms>(
        0, 1e9,
        "The longest acceptable TPOT: the mean time per output token after the first, "
        "with other requests' prompts in between; 0: any")
        .labelled("Max TPOT")
        .or_default(50),
    real<&Inputs::most_first_token_ms>(
        0, 1e9,
        "The longest acceptable TTFT (time to first token): of a prompt served alone or, at a percentile, "
        "with its time in the queue; 0: any")
        .labelled("Max TTFT")
        .or_default(1000),
};

inline constexpr std::string_view stack_checked_help =
    "Whether the stack's own rules are known and were checked; no for a fork, whose original's were";

inline constexpr ResultField deployment_columns[] = {
    choice_result<&ServingDeployment::verdict>(serving_verdict_names, "The verdict: why it wins or loses"),
    whole_result<&ServingDeployment::tensor_parallel>("Tensor degree").in("GPUs"),
    whole_result<&ServingDeployment::pipeline_parallel>("Pipeline stages, each with a batch of its own")
        .in("stages"),
    whole_result<&ServingDeployment::data_parallel>(
        "TP groups that share the experts, each with its own sequences")
        .in("groups"),
    whole_result<&ServingDeployment::expert_parallel>("GPUs over which a layer's experts are spread")
        .in("GPUs"),
    whole_result<&ServingDeployment::expert_tensor_parallel>("GPUs that share each expert's matrices")
        .in("GPUs"),
    whole_result<&ServingDeployment::replicas>("Servers side by side"),
    whole_result<&ServingDeployment::idle_gpus>("GPUs left over"),
    whole_result<&ServingDeployment::batch_size>("Sequences at once in a group, over all its stages")
        .in("sequences"),
    whole_result<&ServingDeployment::step_tokens>(
        "Maximum number of tokens in a step: one for each sequence, and chunks of prompts")
        .in("tokens"),
    result<&ServingDeployment::token_ms>(
        "TPOT: the mean time per output token, with other requests' prompts in between; the percentile asked "
        "for where it was simulated"),
    result<&ServingDeployment::token_low_ms>("Lower end of its band"),
    result<&ServingDeployment::token_high_ms>("Upper end of its band"),
    result<&ServingDeployment::first_token_ms>("TTFT: the time to the first token, without a queue; the "
                                               "percentile asked for, queue included, where it "
                                               "was simulated"),
    result<&ServingDeployment::first_token_low_ms>("Lower end of its band"),
    result<&ServingDeployment::first_token_high_ms>("Upper end of its band"),
    choice_result<&ServingDeployment::basis>(basis_names, "Basis of both bands"),
    result<&ServingDeployment::tokens_per_sec_per_user>("Tokens per second for one user"),
    result<&ServingDeployment::output_tokens_per_sec_per_gpu>(
        "Output tokens per second, per GPU of the deployment"),
    result<&ServingDeployment::requests_per_sec>("Requests per second, all GPUs together").in("1/s"),
    result<&ServingDeployment::memory_gib>("Memory of the fullest GPU, requests at their end"),
    whole_result<&ServingDeployment::needed_replicas>(
        "Servers that answer the given rate within the limits, however many GPUs there are; 0: no rate is "
        "given, or the deployment misses a limit or was not simulated"),
    whole_result<&ServingDeployment::needed_gpus>("GPUs of these servers").in("GPUs"),
    whole_result<&ServingDeployment::needed_gpus_high>(
        "GPUs of these servers if every step is as long as its band allows")
        .in("GPUs"),
};

inline constexpr ResultField serving_point_columns[] = {
    result<&ServingPoint::tokens_per_sec_per_user>("Tokens per second for one user"),
    result<&ServingPoint::output_tokens_per_sec_per_gpu>("Output tokens per second per GPU"),
    whole_result<&ServingPoint::tensor_parallel>("TP").in("GPUs"),
    whole_result<&ServingPoint::pipeline_parallel>("Pipeline stages").in("stages"),
    whole_result<&ServingPoint::data_parallel>("TP groups that share the experts").in("groups"),
    whole_result<&ServingPoint::expert_parallel>("GPUs over which a layer's experts are spread").in("GPUs"),
    whole_result<&ServingPoint::batch_size>("Sequences at once in a group").in("sequences"),
};

}  // namespace commcost
