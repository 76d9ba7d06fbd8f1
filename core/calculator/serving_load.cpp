#include "core/serving/serving_load.h"

#include "core/calculator/calculations.h"
#include "core/calculator/load_fields.h"

namespace commcost::calculations {
namespace serving_load_table {

using Inputs = ServingLoadInputs;
using Results = ServingLoad;

using Moment = LoadMoment;

constexpr ResultField moment_columns[] = {
    result<&Moment::time_s>("End of this part of the time"),
    result<&Moment::waiting>("Requests in the queue of one server, the mean").in("requests"),
    result<&Moment::running>("Sequences at once, the mean").in("sequences"),
    result<&Moment::cache_percent>("Share of the KV cache in use"),
    result<&Moment::first_token_ms>("Mean TTFT of the requests that arrived then"),
    result<&Moment::token_ms>("Mean TPOT of those requests"),
};

constexpr ResultField results[] = {
    object_result<&Results::first_token>(request_time_columns,
                                         "TTFT: from the arrival of a request to its first token"),
    object_result<&Results::token>(request_time_columns,
                                   "TPOT: for each request, the mean time per output token after the first"),
    object_result<&Results::request>(request_time_columns, "Time from a request's arrival to its last token"),
    result<&Results::requests_per_sec>("Requests answered per second, all servers together").in("1/s"),
    result<&Results::output_tokens_per_sec_per_gpu>("Output tokens per second per GPU"),
    result<&Results::keeps_up>("Whether fewer than 5 % of the requests wait when the last one arrives"),
    result<&Results::left_waiting_percent>("Share of the requests that wait when the last one arrives"),
    result<&Results::surely_keeps_up>(
        "Whether it also keeps up if every step takes as long as its band allows: if not, the upper ends of "
        "TTFT grow with the number of requests"),
    result<&Results::mean_sequences>("Sequences at once, the mean").in("sequences"),
    result<&Results::mean_waiting>("Requests in the queue of one server, the mean").in("requests"),
    result<&Results::cache_tokens>("Tokens that the KV cache of one TP group holds").in("tokens"),
    whole_result<&Results::preemptions>("Sequences put back in the queue because the cache was full"),
    whole_result<&Results::steps>("Steps of one server"),
    choice_result<&Results::basis>(basis_names,
                                   "Basis of the bands: no published percentiles exist to judge them by"),
    whole_result<&Results::cluster_gpus>("GPUs of all servers"),
    rows_result<&Results::moments>(moment_columns,
                                   "Load of one server until its last token, in equal parts of the time"),
    rows_result<&Results::assumed>(assumption_columns, "Assumptions about the machine"),
};

constexpr Calculation table = unswept_calculation<Inputs, Results, commcost::serving_load, results>(
    "serving_load",
    "TTFT, TPOT and throughput of a deployment under load: requests played through its servers",
    load_groups<Inputs>);

}  // namespace serving_load_table

const Calculation serving_load = serving_load_table::table;

}  // namespace commcost::calculations
