#include "core/calculator/calculations.h"
#include "core/calculator/machine_fields.h"
#include "core/calculator/serving_fields.h"
#include "core/plan/serving_plan.h"

namespace commcost::calculations {
namespace plan_serving_table {

using Inputs = ServingPlanInputs;
using Results = ServingPlan;
using Row = ServingDeployment;

constexpr double most_servers_gpus = 1024;

constexpr InputField own_fields[] = {
    whole<&Inputs::cluster_gpus>(1, most_servers_gpus, "GPUs that serve")
        .formerly("serving_gpus")
        .labelled("GPUs that serve")
        .or_default(8),
    whole<&Inputs::prompt_tokens>(1, most_request_tokens, "Tokens of a request's prompt")
        .labelled("Input length (ISL)")
        .or_default(1024),
    real<&Inputs::most_token_ms>(
        0, 1e9,
        "The longest acceptable TPOT: the mean time per output token after the first, "
        "with other requests' prompts in between; 0: any")
        .labelled("Max TPOT")
        .or_default(50),
    real<&Inputs::most_first_token_ms>(
        0, 1e9, "The longest acceptable TTFT (time to first token) of a prompt served alone; 0: any")
        .labelled("Max TTFT")
        .or_default(1000),
};

constexpr FieldGroup own_groups[] = {group<Inputs>(own_fields),
                                     group<Inputs, ServingStepInputs>(answer_fields)};
constexpr auto groups = joined(own_groups, server_groups<Inputs>, machine_groups<Inputs>);

constexpr ResultField columns[] = {
    choice_result<&Row::verdict>(serving_verdict_names, "The verdict: why it wins or loses"),
    whole_result<&Row::tensor_parallel>("Tensor degree").in("GPUs"),
    whole_result<&Row::pipeline_parallel>("Pipeline stages, each with a batch of its own").in("stages"),
    whole_result<&Row::expert_parallel>(
        "Groups of tensor ranks that share the experts, each with its own sequences")
        .in("groups"),
    whole_result<&Row::replicas>("Servers side by side"),
    whole_result<&Row::idle_gpus>("GPUs left over"),
    whole_result<&Row::batch_size>("Sequences at once in a group, over all its stages").in("sequences"),
    result<&Row::token_ms>("TPOT: the mean time per output token, with other requests' prompts in between"),
    result<&Row::token_low_ms>("Lower end of its band"),
    result<&Row::token_high_ms>("Upper end of its band"),
    result<&Row::first_token_ms>("TTFT: the time to the first token, without a queue"),
    result<&Row::first_token_low_ms>("Lower end of its band"),
    result<&Row::first_token_high_ms>("Upper end of its band"),
    result<&Row::tokens_per_sec_per_user>("Tokens per second for one user"),
    result<&Row::output_tokens_per_sec_per_gpu>("Output tokens per second, per GPU of the deployment"),
    result<&Row::requests_per_sec>("Requests per second, all GPUs together").in("1/s"),
    result<&Row::memory_gib>("Memory of the fullest GPU, requests at their end"),
};

using Point = ServingPoint;

constexpr ResultField point_columns[] = {
    result<&Point::tokens_per_sec_per_user>("Tokens per second for one user"),
    result<&Point::output_tokens_per_sec_per_gpu>("Output tokens per second per GPU"),
    whole_result<&Point::tensor_parallel>("TP").in("GPUs"),
    whole_result<&Point::pipeline_parallel>("Pipeline stages").in("stages"),
    whole_result<&Point::expert_parallel>("Groups that share the experts").in("groups"),
    whole_result<&Point::batch_size>("Sequences at once in a group").in("sequences"),
};

constexpr ResultField results[] = {
    result<&Results::found>("Whether one meets the targets"),
    rows_result<&Results::deployments>(columns, "Every deployment with its best batch, the best first"),
    rows_result<&Results::frontier>(point_columns,
                                    "The Pareto line: what no other deployment or batch beats both for a "
                                    "user and per GPU, whatever the longest TPOT; the most for a user first"),
};

constexpr Calculation table = unswept_calculation<Inputs, Results, commcost::plan_serving, results>(
    "plan_serving", "Deployments of a model on a number of GPUs that meet latency limits", groups);

}  // namespace plan_serving_table

const Calculation plan_serving = plan_serving_table::table;

}  // namespace commcost::calculations
