#include "core/serving/serving_load.h"

#include "core/calculator/calculations.h"
#include "core/calculator/machine_fields.h"
#include "core/calculator/serving_fields.h"
#include "core/calculator/step_fields.h"

namespace commcost::calculations {
namespace serving_load_table {

using Inputs = ServingLoadInputs;
using Results = ServingLoad;

constexpr double most_requests = 100000;
constexpr double most_load_servers = 1048576;
constexpr double most_step_tokens = 1048576;
constexpr double most_load_seed = 4294967295;

constexpr InputField own_fields[] = {
    whole<&Inputs::prompt_tokens>(1, most_request_tokens, "Tokens of a request's prompt")
        .labelled("Input length (ISL)")
        .or_default(1024),
    real<&Inputs::requests_per_sec>(
        0, 1e9, "Requests per second that all servers together receive; 0: all requests come at once")
        .labelled("Request rate")
        .in("1/s")
        .or_default(0),
    choice<&Inputs::length_spread>(length_spread_names, "How input and output lengths are distributed")
        .labelled("Lengths")
        .or_default(0),
    real<&Inputs::length_spread_percent>(0, 1000,
                                         "How far lengths spread about ISL and OSL: half of the range of a "
                                         "uniform distribution, or the standard deviation; 0: all alike")
        .labelled("Spread of lengths")
        .or_default(0),
    whole<&Inputs::step_tokens>(1, most_step_tokens,
                                "Tokens of a step at most: one for each sequence, and chunks of prompts")
        .labelled("Max tokens per step")
        .or_default(8192),
    flag<&Inputs::chunked_prefill>(
        "Whether prompts are read in chunks, in steps that also decode, or each in a step without decoding")
        .labelled("Chunked prefill")
        .or_default(1),
    real<&Inputs::prefix_hit_percent>(
        0, 100, "The share of each prompt that the prefix cache holds from earlier ones")
        .labelled("Prefix-cache hits")
        .or_default(0),
    whole<&Inputs::replicas>(1, most_load_servers, "Servers side by side").or_default(1),
    whole<&Inputs::requests>(1, most_requests, "Requests that one server is played")
        .labelled("Simulated requests")
        .or_default(10000),
    whole<&Inputs::arrivals_seed>(0, most_load_seed,
                                  "Draws arrivals and lengths: the same seed gives the same ones")
        .or_default(1),
};
constexpr auto load_batch = picked(work_fields, {"batch_size"});
constexpr auto load_layout =
    picked(layout_fields, {"tensor_parallel", "pipeline_parallel", "expert_parallel"});

constexpr FieldGroup own_groups[] = {
    group<Inputs>(own_fields),
    group<Inputs, ServingStepInputs>(answer_fields),
    of_job<Inputs, &Job::work>(load_batch),
    of_job<Inputs, &Job::layout>(load_layout),
};
constexpr auto groups = joined(own_groups, server_groups<Inputs>, machine_groups<Inputs>);

constexpr ResultField time_columns[] = {
    result<&RequestTimes::p50_ms>("The median of all requests"),
    result<&RequestTimes::p99_ms>("What 99 of 100 requests do not exceed"),
    result<&RequestTimes::p99_low_ms>("The same where every step takes as little as its band allows"),
    result<&RequestTimes::p99_high_ms>("The same where every step takes as long as its band allows"),
};

using Moment = LoadMoment;

constexpr ResultField moment_columns[] = {
    result<&Moment::time_s>("End of this part of the time"),
    result<&Moment::waiting>("Requests in the queue of one server, the mean").in("requests"),
    result<&Moment::running>("Sequences at once, the mean").in("sequences"),
    result<&Moment::cache_percent>("How full the KV cache is"),
    result<&Moment::first_token_ms>("Mean TTFT of the requests that arrived then"),
    result<&Moment::token_ms>("Mean TPOT of these"),
};

constexpr ResultField results[] = {
    object_result<&Results::first_token>(time_columns,
                                         "TTFT: from the arrival of a request to its first token"),
    object_result<&Results::token>(time_columns,
                                   "TPOT: of each request, the mean time per output token after the first"),
    object_result<&Results::request>(time_columns, "From the arrival of a request to its last token"),
    result<&Results::requests_per_sec>("Requests answered per second, all servers together").in("1/s"),
    result<&Results::output_tokens_per_sec_per_gpu>("Output tokens per second per GPU"),
    result<&Results::keeps_up>(
        "Whether fewer than 5 % of the requests wait when the last one arrives: else the queue only grows"),
    result<&Results::mean_sequences>("Sequences at once, the mean").in("sequences"),
    result<&Results::mean_waiting>("Requests in the queue of one server, the mean").in("requests"),
    result<&Results::cache_tokens>("Tokens that the KV cache of a group of tensor ranks holds").in("tokens"),
    whole_result<&Results::preemptions>("Sequences put back in the queue because the cache was full"),
    whole_result<&Results::steps>("Steps of one server"),
    choice_result<&Results::basis>(basis_names,
                                   "What the bands rest on: no published percentiles exist to judge them by"),
    whole_result<&Results::cluster_gpus>("GPUs of all servers"),
    rows_result<&Results::moments>(moment_columns,
                                   "One server until its last token, in equal parts of the time"),
    rows_result<&Results::assumed>(assumption_columns, "Assumptions about the machine"),
};

constexpr Calculation table = unswept_calculation<Inputs, Results, commcost::serving_load, results>(
    "serving_load", "What users of a deployment see under load: requests played through its servers", groups);

}  // namespace serving_load_table

const Calculation serving_load = serving_load_table::table;

}  // namespace commcost::calculations
