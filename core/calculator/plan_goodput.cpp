#include "core/calculator/calculations.h"
#include "core/calculator/deployment_fields.h"
#include "core/calculator/load_fields.h"
#include "core/calculator/machine_fields.h"
#include "core/plan/goodput_plan.h"

namespace commcost::calculations {
namespace plan_goodput_table {

/// The search, and how far it goes.
struct GoodputSearchInputs : GoodputPlanInputs {
  std::int64_t simulations = 0;  ///< 0: until all is searched
};

using Inputs = GoodputSearchInputs;
using Results = GoodputPlan;

constexpr InputField search_fields[] = {
    choice<&Inputs::latency_percentile>(latency_percentile_names,
                                        "The percentile of requests that must meet the TPOT and TTFT limits")
        .labelled("Limits hold at"),
    whole<&Inputs::simulations>(0, 4096,
                                "Stop after this many simulated deployments, with the best so far; 0: "
                                "simulate all that could be the best or tie with it")
        .in("deployments")
        .or_default(0),
};
constexpr auto own_load_fields =
    picked(load_fields, {"request_routing", "length_spread", "length_spread_percent", "chunked_prefill",
                         "prefix_hit_percent", "requests", "arrivals_seed"});

constexpr FieldGroup own_groups[] = {
    group<Inputs>(service_fields<Inputs>), of_job<Inputs, &Job::work>(sought_step_field),
    group<Inputs>(search_fields), group<Inputs, ServingLoadInputs>(own_load_fields),
    group<Inputs, ServingStepInputs>(answer_fields)};
constexpr auto groups = joined(own_groups, server_groups<Inputs>, machine_groups<Inputs>);

constexpr ResultField load_columns[] = {
    result<&DeploymentLoad::simulated>(
        "Whether it was simulated: not if its capacity rules it out, and not before its turn"),
    result<&DeploymentLoad::capacity_per_sec>(
        "Requests per second without a queue, all GPUs together: no higher rate is tried")
        .in("1/s"),
    object_result<&DeploymentLoad::first_token>(
        request_time_columns, "TTFT at its goodput; at the lowest rate tried if no rate meets the limits"),
    object_result<&DeploymentLoad::token>(
        request_time_columns, "TPOT at its goodput; at the lowest rate tried if no rate meets the limits"),
};

constexpr ResultField results[] = {
    result<&Results::found>("Whether one meets the limits"),
    step_result<&Results::stack_checked>(),
    result<&Results::progress>("Simulations done, as a share of those that may be needed; 1: all"),
    rows_result<&Results::deployments>(
        deployment_columns,
        "Every deployment, best first. A simulated one has the rate, TPOT, TTFT, batch and tokens per step "
        "of its goodput, the highest rate at which the percentile meets the limits; the others are given "
        "without a queue"),
    rows_result<&Results::loads>(load_columns, "Throughput and latency of each of them under load"),
    rows_result<&Results::frontier>(
        serving_point_columns, "The Pareto front of plan_serving, without a queue, fastest for a user first"),
};

Outcome<Results> compute(const Inputs& inputs, SimulatedDeployments& known) {
  return commcost::plan_goodput(inputs, inputs.simulations, known);
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "plan_goodput",
    "Deployments of a model by goodput: the highest request rate at which a percentile of requests meets the "
    "limits",
    groups);

}  // namespace plan_goodput_table

const Calculation plan_goodput = plan_goodput_table::table;

}  // namespace commcost::calculations
