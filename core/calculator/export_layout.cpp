#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/job_fields.h"
#include "core/parallel/exported_layout.h"
#include "core/parallel/job_problems.h"

namespace commcost::calculations {
namespace export_layout_table {

/// What export_layout takes.
struct ExportInputs {
  Job job;
  ExportFormat format = ExportFormat::megatron_lm;
};

/// A layout in a stack's options.
struct ExportResults {
  std::string text;
  std::vector<ExportedOption> options;
  std::vector<NotExported> not_exported;
  std::string_view version;
  std::string_view source;
};

using Inputs = ExportInputs;
using Results = ExportResults;

constexpr InputField format_field[] = {
    choice<&Inputs::format>(export_format_names,
                            "Whose options: arguments of Megatron-LM, or torchtitan's TOML")
        .or_default(0)};

constexpr auto exported_work_fields = picked(
    work_fields, {"sequence_length", "batch_size", "global_batch_size", "bytes_per_element", "recompute"});
constexpr auto exported_layout_fields =
    picked(layout_fields, {"tensor_parallel", "sequence_parallel", "pipeline_parallel", "virtual_stages",
                           "pipeline_schedule", "data_parallel", "zero_stage", "context_parallel",
                           "expert_parallel", "expert_tensor_parallel", "cluster_gpus", "first_stage_layers",
                           "last_stage_layers", "shard_group_size"});
constexpr auto exported_recipe_layout_fields =
    picked(recipe_layout_fields, {"overlap_tensor", "balanced_stages", "overlap_data", "overlap_param_gather",
                                  "overlap_expert", "context_scheme", "expert_exchange"});

constexpr FieldGroup groups[] = {
    group<Inputs>(format_field),
    of_job<Inputs>(recipe_field),
    of_job<Inputs, &Job::model>(model_field),
    of_job<Inputs, &Job::model>(model_shape_fields),
    of_job<Inputs, &Job::work>(exported_work_fields),
    of_job<Inputs, &Job::work>(recipe_work_fields),
    of_job<Inputs, &Job::layout>(exported_layout_fields),
    of_job<Inputs, &Job::layout>(exported_recipe_layout_fields),
};

constexpr ResultField option_columns[] = {
    result<&ExportedOption::section>("Of the TOML file; empty for an argument"),
    result<&ExportedOption::option>("As the stack documents it"),
    result<&ExportedOption::value>("As written; empty for a switch"),
    result<&ExportedOption::stands_for>("The input that it says"),
};

constexpr ResultField missing_columns[] = {
    result<&NotExported::field>("The input"),
    result<&NotExported::why>("What the stack does instead"),
};

constexpr ResultField results[] = {
    result<&Results::text>("All options, ready to be pasted"),
    rows_result<&Results::options>(option_columns, "Each option"),
    rows_result<&Results::not_exported>(missing_columns, "What the stack cannot be told, or only otherwise"),
    result<&Results::version>("Of the stack whose options these are"),
    result<&Results::source>("Where they are documented"),
};

Outcome<Results> compute(const Inputs& inputs) {
  const Job job = completed(inputs.job);
  if (!can_exist(job)) return layout_problems(job);
  ExportedLayout exported = exported_layout(job, inputs.format);
  const ExportTarget& target = export_target(inputs.format);
  return Results{std::move(exported.text), std::move(exported.options), std::move(exported.not_exported),
                 target.version, target.source};
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "export_layout", "A layout as arguments of Megatron-LM or TOML of torchtitan", groups);

}  // namespace export_layout_table

const Calculation export_layout = export_layout_table::table;

}  // namespace commcost::calculations
