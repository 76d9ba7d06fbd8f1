#pragma once

#include "core/calculator/machine_fields.h"
#include "core/calculator/serving_fields.h"
#include "core/calculator/step_fields.h"
#include "core/serving/serving_load.h"

// Inputs and results of calculations that play requests through a deployment.
namespace commcost {

inline constexpr double most_requests = 100000;
inline constexpr double most_in_flight = 1048576;
inline constexpr double most_load_servers = 1048576;
inline constexpr double most_load_seed = 4294967295;

template <auto Member>
constexpr InputField chunked_prefill_field() {
  return flag<Member>(
             "Whether prompts are read in chunks, in steps that also decode, or each in a step without "
             "decoding")
      .labelled("Chunked prefill")
      .or_default(1);
}

inline constexpr double most_memory_share = 1;
template <auto Member>
constexpr InputField memory_share_field() {
  return real<Member>(0, most_memory_share,
                      "The share of memory that the server may use, as its stack counts it: of all memory, "
                      "or of what weights leave; 0: as much as the batch needs")
      .labelled("Memory share")
      .or_default(0);
}

inline constexpr InputField load_fields[] = {
    whole<&ServingLoadInputs::prompt_tokens>(1, most_request_tokens, "Tokens of a request's prompt")
        .labelled("Input length (ISL)")
        .or_default(1024),
    real<&ServingLoadInputs::requests_per_sec>(
        0, 1e9, "Requests per second that all servers together receive; 0: all requests come at once")
        .labelled("Request rate")
        .in("1/s")
        .or_default(0),
    flag<&ServingLoadInputs::rate_follows_steps>(
        "Whether the rate follows the servers instead of demand: with longer steps, fewer requests come")
        .labelled("Rate follows steps")
        .or_default(0),
    whole<&ServingLoadInputs::max_concurrency>(0, most_in_flight,
                                               "Maximum number of requests in flight, for all servers "
                                               "together, as a benchmark's client keeps them; 0: no limit")
        .labelled("Max concurrency")
        .in("requests")
        .or_default(0),
    choice<&ServingLoadInputs::request_routing>(
        request_routing_names,
        "Server that a request goes to: the next one in turn, which evens out arrivals, or a random one")
        .labelled("Routing")
        .or_default(0),
    choice<&ServingLoadInputs::length_spread>(length_spread_names, "Distribution of input and output lengths")
        .labelled("Lengths")
        .or_default(0),
    real<&ServingLoadInputs::length_spread_percent>(
        0, 1000,
        "Spread of lengths around ISL and OSL: half the range of a uniform distribution, or the standard "
        "deviation; 0: all equal")
        .labelled("Spread of lengths")
        .or_default(0),
    chunked_prefill_field<&ServingLoadInputs::chunked_prefill>(),
    real<&ServingLoadInputs::prefix_hit_percent>(
        0, 100, "The share of each prompt that the prefix cache holds from earlier ones")
        .labelled("Prefix-cache hits")
        .or_default(0),
    whole<&ServingLoadInputs::replicas>(1, most_load_servers, "Servers side by side").or_default(1),
    whole<&ServingLoadInputs::requests>(1, most_requests, "Simulated requests per server")
        .labelled("Simulated requests")
        .or_default(10000),
    whole<&ServingLoadInputs::arrivals_seed>(
        0, most_load_seed, "Seed of arrivals and lengths: the same seed draws the same ones")
        .or_default(1),
};
/// TTFT, TPOT or a whole request's time.
inline constexpr ResultField request_time_columns[] = {
    result<&RequestTimes::p50_ms>("The median of all requests"),
    result<&RequestTimes::p50_low_ms>("Median if every step is as short as its band allows"),
    result<&RequestTimes::p50_high_ms>("Median if every step is as long as its band allows"),
    result<&RequestTimes::p90_ms>("90th percentile of all requests"),
    result<&RequestTimes::p95_ms>("95th percentile of all requests"),
    result<&RequestTimes::p99_ms>("99th percentile of all requests"),
    result<&RequestTimes::p99_low_ms>("99th percentile if every step is as short as its band allows"),
    result<&RequestTimes::p99_high_ms>("99th percentile if every step is as long as its band allows"),
};

inline constexpr auto load_batch = picked(work_fields, {"batch_size"});
inline constexpr auto load_layout =
    picked(layout_fields, {"tensor_parallel", "pipeline_parallel", "expert_parallel"});

/// A deployment and the requests that reach it: the fields of ServingLoadInputs, a base of `Inputs` or
/// itself.
template <class Inputs>
inline constexpr FieldGroup own_load_groups[] = {
    group<Inputs, ServingLoadInputs>(load_fields),   of_job<Inputs, &Job::work>(step_tokens_of_server),
    group<Inputs, ServingStepInputs>(answer_fields), of_job<Inputs, &Job::work>(load_batch),
    of_job<Inputs, &Job::layout>(load_layout),
};
template <class Inputs>
inline constexpr auto load_groups = joined(own_load_groups<Inputs>, server_groups<Inputs>,
                                           machine_groups<Inputs>);

}  // namespace commcost
