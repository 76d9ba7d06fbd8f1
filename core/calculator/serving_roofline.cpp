#include "core/serving/serving_roofline.h"

#include "core/calculator/calculations.h"
#include "core/calculator/machine_fields.h"
#include "core/calculator/roofline_columns.h"
#include "core/calculator/serving_fields.h"

namespace commcost::calculations {
namespace serving_roofline_table {

using Inputs = AnsweringInputs;

/// What serving_roofline gives.
struct ServedRoofline : Roofline {};
using Results = ServedRoofline;

constexpr auto rank_work_fields = picked(work_fields, {"sequence_length", "batch_size"});
constexpr auto rank_layout_fields = picked(
    layout_fields, {"tensor_parallel", "pipeline_parallel", "expert_parallel", "expert_tensor_parallel"});
constexpr auto rank_stack_fields = picked(stack_fields, {"gemm_time_scale", "grouped_gemm_time_scale",
                                                         "attention_time_scale", "elementwise_time_scale"});
constexpr auto rank_serving_fields = picked(serving_stack_fields, {"kernel_library", "micro_batch_tokens"});
constexpr auto rank_accelerator_field = picked(system_machine_fields, {"accelerator"});
constexpr auto rank_rate_fields = picked(rate_fields, {"hbm_gb_per_sec", "peak_tflops"});

constexpr FieldGroup groups[] = {
    group<Inputs>(answering_field),
    of_job<Inputs, &Job::machine>(system_field),
    of_job<Inputs, &Job::machine>(rank_accelerator_field),
    of_job<Inputs, &Job::machine>(rank_rate_fields),
    of_job<Inputs>(serving_recipe_field),
    of_job<Inputs, &Job::model>(model_field),
    of_job<Inputs, &Job::model>(model_shape_fields),
    of_job<Inputs, &Job::work>(served_work_fields),
    of_job<Inputs, &Job::work>(served_recipe_work_fields),
    of_job<Inputs, &Job::work>(serving_type_fields),
    of_job<Inputs, &Job::work>(rank_work_fields),
    of_job<Inputs, &Job::layout>(rank_layout_fields),
    of_job<Inputs, &Job::layout>(groups_field),
    of_job<Inputs, &Job::stack>(rank_stack_fields),
    of_job<Inputs, &Job::stack, &Stack::serving>(rank_serving_fields),
};

Outcome<Results> compute(const Inputs& inputs) {
  const Outcome<Roofline> found = commcost::serving_roofline(step_of(inputs));
  if (!found) return found.problems();
  return Results{*found};
}

constexpr auto results = roofline_results<Results>;

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "serving_roofline", "One layer's kernels in a server's step against the GPU's matrix peak and its memory",
    groups);

}  // namespace serving_roofline_table

const Calculation serving_roofline = serving_roofline_table::table;

}  // namespace commcost::calculations
