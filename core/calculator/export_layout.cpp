#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/job_fields.h"
#include "core/calculator/machine_fields.h"
#include "core/launches/exported_launch.h"
#include "core/parallel/job_problems.h"

namespace commcost::calculations {
namespace export_layout_table {

/// What export_layout takes.
struct ExportInputs {
  Job job;
  LaunchFormat format = LaunchFormat::megatron_lm;
  int model = -1;  ///< place in the catalogue
};

/// A job as a stack is started with it.
struct ExportResults : ExportedLaunch {
  std::string_view name;
  std::string_view commit;
  std::string_view date;
  std::string_view source;
};

using Inputs = ExportInputs;
using Results = ExportResults;

void fill_model(void* owner, std::size_t model) {
  auto& inputs = *static_cast<Inputs*>(owner);
  inputs.model = static_cast<int>(model);
  inputs.job.model = all_models()[model].shape;
}

constexpr InputField format_field[] = {
    choice<&Inputs::format>(launch_format_names, "The stack that is started").or_default(0)};
constexpr InputField own_model_field[] = {preset<fill_model>("model", model_ids, model_field[0].field.help)};

constexpr auto exported_work_fields =
    picked(work_fields, {"sequence_length", "batch_size", "global_batch_size", "bytes_per_element",
                         "matmul_precision", "recompute"});
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
    of_job<Inputs>(recipe_field),
    group<Inputs>(own_model_field),
    of_job<Inputs, &Job::model>(model_shape_fields),
    of_job<Inputs, &Job::work>(exported_work_fields),
    of_job<Inputs, &Job::work>(recipe_work_fields),
    of_job<Inputs, &Job::layout>(exported_layout_fields),
    of_job<Inputs, &Job::layout>(exported_recipe_layout_fields),
    of_job<Inputs, &Job::machine>(system_field),
    of_job<Inputs, &Job::machine>(exported_machine_fields),
};

constexpr ResultField option_columns[] = {
    result<&ExportedOption::option>("As the stack documents it"),
    result<&ExportedOption::value>("As written; empty for a switch"),
    result<&ExportedOption::stands_for>("The input that it says; empty: none"),
};

constexpr ResultField missing_columns[] = {
    result<&NotExported::field>("The input"),
    result<&NotExported::why>("What the stack does instead, or how it is told otherwise"),
};

constexpr ResultField results[] = {
    result<&Results::text>("The launch: a script for the shell, with what its options cannot say above it"),
    result<&Results::dry_run>("The same as the stack rehearses it: on one GPU, or without weights"),
    rows_result<&Results::options>(option_columns, "Each option"),
    rows_result<&Results::not_exported>(missing_columns, "What the stack cannot be told, or only otherwise"),
    result<&Results::name>("The stack"),
    result<&Results::commit>("Of the stack's repository, against which every option was checked"),
    result<&Results::date>("Of that commit"),
    result<&Results::source>("Where the options are documented"),
};

Outcome<Results> compute(const Inputs& inputs) {
  const Job job = completed(inputs.job);
  if (!can_exist(job)) return layout_problems(job);
  const ModelRow* hint = inputs.model < 0 ? nullptr : &all_models()[static_cast<std::size_t>(inputs.model)];
  const LaunchStack& stack = launch_stack(inputs.format);
  Results results;
  static_cast<ExportedLaunch&>(results) =
      exported_launch({job, model_of_shape(job.model, hint)}, inputs.format);
  results.name = stack.name;
  results.commit = stack.commit;
  results.date = stack.date;
  results.source = stack.source;
  return results;
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "export_layout", "A job as a stack is started with it: its launch and its dry run", groups);

}  // namespace export_layout_table

const Calculation export_layout = export_layout_table::table;

}  // namespace commcost::calculations
