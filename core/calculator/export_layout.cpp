#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/job_fields.h"
#include "core/calculator/launch_results.h"
#include "core/calculator/machine_fields.h"

namespace commcost::calculations {
namespace export_layout_table {

/// What export_layout takes.
struct ExportInputs {
  Job job;
  LaunchFormat format = LaunchFormat::megatron_lm;
  int model = -1;  ///< place in the catalogue
};

using Inputs = ExportInputs;
using Results = LaunchResults;

constexpr InputField format_field[] = {
    choice<&Inputs::format>(training_formats, "The stack that is started").or_default(0)};

constexpr auto exported_work_fields =
    picked(work_fields,
           {"sequence_length", "batch_size", "global_batch_size", "bytes_per_element", "matmul_precision",
            "recompute", "recomputed_layers", "offloaded_layers", "offloaded_optimizer_percent"});
constexpr auto exported_layout_fields =
    picked(layout_fields, {"tensor_parallel", "sequence_parallel", "pipeline_parallel", "virtual_stages",
                           "pipeline_schedule", "data_parallel", "zero_stage", "context_parallel",
                           "expert_parallel", "expert_tensor_parallel", "cluster_gpus", "first_stage_layers",
                           "last_stage_layers", "shard_group_size"});
constexpr auto exported_recipe_layout_fields =
    picked(recipe_layout_fields, {"overlap_tensor", "balanced_stages", "overlap_data", "overlap_param_gather",
                                  "overlap_expert", "context_scheme", "expert_exchange"});
constexpr auto exported_machine_fields = picked(system_machine_fields, {"accelerator", "gpus_per_node"});

constexpr FieldGroup groups[] = {
    group<Inputs>(format_field),
    of_job<Inputs, &Job::machine>(system_field),
    of_job<Inputs, &Job::machine>(exported_machine_fields),
    of_job<Inputs>(training_recipe_field),
    group<Inputs>(named_model_field<Inputs>),
    of_job<Inputs, &Job::model>(model_shape_fields),
    of_job<Inputs, &Job::work>(exported_work_fields),
    of_job<Inputs, &Job::work>(recipe_work_fields),
    of_job<Inputs, &Job::layout>(exported_layout_fields),
    of_job<Inputs, &Job::layout>(exported_recipe_layout_fields),
};

Outcome<Results> compute(const Inputs& inputs) {
  return launch_results({.job = inputs.job}, inputs.model, inputs.format);
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, launch_result_fields>(
    "export_layout", "A job as a stack's launch, and its dry run", groups);

}  // namespace export_layout_table

const Calculation export_layout = export_layout_table::table;

}  // namespace commcost::calculations
