#include "core/calculator/calculation.h"
#include "core/calculator/calculations.h"
#include "core/calculator/launch_results.h"
#include "core/calculator/load_fields.h"
#include "core/calculator/machine_fields.h"
#include "core/calculator/serving_fields.h"
#include "core/parallel/job_problems.h"

namespace commcost::calculations {
namespace export_deployment_table {

/// What export_deployment takes: a deployment of plan_serving.
struct DeploymentInputs {
  Job job;
  int server = 0;  ///< place among server_formats
  int model = -1;  ///< place in the catalogue
  std::int64_t replicas = 1;
  std::int64_t prompt_tokens = 1024;
  std::int64_t output_tokens = 256;
  std::int64_t step_tokens = 8192;
  bool chunked_prefill = true;
  double memory_share = 0;
};

using Inputs = DeploymentInputs;
using Results = LaunchResults;

constexpr double most_servers = 1048576;

constexpr InputField own_fields[] = {
    choice<&Inputs::server>(server_formats, "The serving stack that is started").or_default(0),
    whole<&Inputs::replicas>(1, most_servers, "Servers side by side").or_default(1),
    whole<&Inputs::prompt_tokens>(1, most_request_tokens, "Tokens of a request's prompt")
        .labelled("Input length (ISL)")
        .or_default(1024),
    whole<&Inputs::output_tokens>(1, most_request_tokens, answer_fields[0].field.help)
        .labelled(answer_fields[0].field.label)
        .or_default(256),
    step_tokens_field<&Inputs::step_tokens>(),
    chunked_prefill_field<&Inputs::chunked_prefill>(),
    memory_share_field<&Inputs::memory_share>(),
};
constexpr auto degrees = picked(layout_fields, {"tensor_parallel", "pipeline_parallel", "expert_parallel"});
constexpr auto batch = picked(work_fields, {"batch_size"});
constexpr auto graphs = picked(stack_fields, {"cuda_graphs"});
constexpr auto nodes = picked(system_machine_fields, {"accelerator", "gpus_per_node"});

constexpr FieldGroup groups[] = {
    group<Inputs>(own_fields),
    of_job<Inputs>(serving_recipe_field),
    group<Inputs>(named_model_field<Inputs>),
    of_job<Inputs, &Job::model>(model_shape_fields),
    of_job<Inputs, &Job::work>(served_work_fields),
    of_job<Inputs, &Job::work>(serving_type_fields),
    of_job<Inputs, &Job::work>(batch),
    of_job<Inputs, &Job::layout>(degrees),
    of_job<Inputs, &Job::layout>(served_layout_fields),
    of_job<Inputs, &Job::stack>(graphs),
    of_job<Inputs, &Job::machine>(system_field),
    of_job<Inputs, &Job::machine>(nodes),
};

Outcome<Results> compute(const Inputs& inputs) {
  if (Problems problems = server_problems(inputs.job); !problems.empty()) return problems;
  Job job = inputs.job;
  job.work.mode = Mode::decode;
  job.work.sequence_length = inputs.prompt_tokens + inputs.output_tokens;
  job.layout = server_layout(inputs.job.layout);
  job.layout.data_parallel *= inputs.replicas;
  const LaunchedJob launched{.job = job,
                             .step_tokens = inputs.step_tokens,
                             .chunked_prefill = inputs.chunked_prefill,
                             .memory_share = inputs.memory_share};
  return launch_results(launched, inputs.model, server_format(inputs.server));
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, launch_result_fields>(
    "export_deployment", "A deployment as a serving stack's launch, and its dry run", groups);

}  // namespace export_deployment_table

const Calculation export_deployment = export_deployment_table::table;

}  // namespace commcost::calculations
