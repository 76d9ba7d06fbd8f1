#include "core/calculator/calculations.h"
#include "core/calculator/deployment_fields.h"
#include "core/calculator/machine_fields.h"
#include "core/calculator/step_fields.h"

namespace commcost::calculations {
namespace plan_serving_table {

using Inputs = ServingPlanInputs;
using Results = ServingPlan;

constexpr FieldGroup own_groups[] = {group<Inputs>(service_fields<Inputs>),
                                     of_job<Inputs, &Job::work>(sought_step_field),
                                     group<Inputs, ServingStepInputs>(answer_fields)};
constexpr auto groups = joined(own_groups, server_groups<Inputs>, machine_groups<Inputs>);

constexpr ResultField results[] = {
    result<&Results::found>("Whether one meets the targets"),
    step_result<&Results::stack_checked>(),
    rows_result<&Results::deployments>(deployment_columns,
                                       "Every deployment with its best batch, the best first"),
    rows_result<&Results::frontier>(serving_point_columns,
                                    "The Pareto front, whatever the TPOT limit: batches that no deployment "
                                    "beats both per user and per GPU, fastest for a user first"),
};

constexpr Calculation table = unswept_calculation<Inputs, Results, commcost::plan_serving, results>(
    "plan_serving", "Deployments of a model on a number of GPUs that meet latency limits", groups);

}  // namespace plan_serving_table

const Calculation plan_serving = plan_serving_table::table;

}  // namespace commcost::calculations
