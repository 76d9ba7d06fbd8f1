#include "core/calculator/calculations.h"
#include "core/calculator/job_fields.h"
#include "core/parallel/job_problems.h"
#include "core/textbook/sizes_report.h"

namespace commcost::calculations {
namespace model_sizes_table {

/// What model_sizes takes.
struct SizesInputs {
  Job job;
};

using Inputs = SizesInputs;
using Results = SizesReport;

// Inputs that affect only a step's time are left out.
constexpr auto sized_layout_fields = picked(
    layout_fields,
    {"tensor_parallel", "sequence_parallel", "pipeline_parallel", "virtual_stages", "first_stage_layers",
     "last_stage_layers", "pipeline_schedule", "data_parallel", "shard_group_size", "context_parallel",
     "expert_parallel", "expert_tensor_parallel", "cluster_gpus", "zero_gradients",
     "accumulate_whole_gradients", "gradient_wire_bytes_per_element", "parameter_wire_bytes_per_element"});
constexpr auto sized_recipe_work_fields = picked(
    recipe_work_fields, {"flash_attention", "dropout", "recompute_attention_core", "recompute_elementwise",
                         "recompute_latent_projections", "recompute_products", "gradient_bytes_per_element"});
constexpr auto stage_fields = picked(recipe_layout_fields, {"regather_input", "balanced_stages"});
constexpr auto logit_fields = picked(stack_fields, {"held_bytes_per_logit"});

constexpr FieldGroup groups[] = {
    group<Inputs>(recipe_field),
    of_job<Inputs, &Job::model>(model_field),
    of_job<Inputs, &Job::model>(model_shape_fields),
    of_job<Inputs, &Job::work>(work_fields),
    of_job<Inputs, &Job::work>(mode_field),
    of_job<Inputs, &Job::work>(sized_recipe_work_fields),
    of_job<Inputs, &Job::layout>(sized_layout_fields),
    of_job<Inputs, &Job::layout>(stage_fields),
    of_job<Inputs, &Job::stack>(logit_fields),
};

constexpr ResultField size_columns[] = {
    choice_result<&SizeRow::thing>(size_quantity_names, "The quantity"),
    result<&SizeRow::elements>("Elements, of this shape"),
    result<&SizeRow::bytes>("Bytes as stored; 0 for tokens"),
    result<&SizeRow::rule_of_thumb_elements>("The Ultra-Scale Playbook's count in A2: 16 h^2 per layer"),
};

constexpr ResultField parameter_columns[] = {
    result<&Parameters::embedding>("Token embedding"),
    result<&Parameters::positions>("Learned positions"),
    result<&Parameters::attention>("Attention of one layer"),
    result<&Parameters::norm>("Norms of one layer"),
    result<&Parameters::mlp>("MLP of one layer without experts"),
    result<&Parameters::expert>("One routed expert"),
    result<&Parameters::shared_experts>("Shared experts of one layer").in(""),
    result<&Parameters::router>("Router of one layer"),
    result<&Parameters::final_norm>("Norm before the LM head"),
    result<&Parameters::lm_head>("LM head; 0 where tied"),
    result<&Parameters::total>("The whole model"),
    result<&Parameters::active>("Parameters active for one token"),
};

constexpr ResultField layer_columns[] = {
    result<&LayerFlops::query_key_value>("Projections to queries, keys and values").in("FLOP"),
    result<&LayerFlops::attention_core>("Scores and values").in("FLOP"),
    result<&LayerFlops::attention_output>("Projection of the attention's output").in("FLOP"),
    result<&LayerFlops::mlp>("MLP").in("FLOP"),
};

constexpr ResultField step_columns[] = {
    result<&StepFlops::forward>("Forward pass").in("FLOP"),
    result<&StepFlops::backward>("Backward pass").in("FLOP"),
    result<&StepFlops::recompute>("Recomputation").in("FLOP"),
    result<&StepFlops::model>("Forward and backward: what MFU counts").in("FLOP"),
    result<&StepFlops::hardware>("Recomputation too: what HFU counts").in("FLOP"),
};

constexpr ResultField activation_columns[] = {
    choice_result<&ActivationRow::setting>(activation_setting_names, "The split and the recomputation"),
    result<&ActivationRow::layer_bytes>("Bytes of one layer, per GPU and micro-batch"),
    result<&ActivationRow::all_layers_bytes>("Bytes of all layers, without a pipeline"),
    result<&ActivationRow::rule_of_thumb_bytes>("Bytes of all layers by the classic s b h (34 + 5 a s / h)"),
};

constexpr ResultField zero_columns[] = {
    result<&ZeroRow::zero_stage>("ZeRO stage"),
    result<&ZeroRow::weights_bytes>("Weights on the fullest GPU"),
    result<&ZeroRow::gradients_bytes>("Gradients on the fullest GPU"),
    result<&ZeroRow::optimizer_bytes>("Optimizer state on the fullest GPU"),
    result<&ZeroRow::total_bytes>("Weights, gradients and optimizer state together"),
    result<&ZeroRow::bytes_per_parameter>("Bytes per parameter of that GPU's layers"),
    result<&ZeroRow::memory_bytes>(
        "Memory of a step: these bytes with activations, logits and the layer at work"),
    result<&ZeroRow::sent_bytes_per_gpu>(
        "Gradients and weights that a GPU sends to other replicas in a step, on the stage that sends most"),
};

constexpr ResultField results[] = {
    rows_result<&Results::sizes>(size_columns, "The Playbook's table A2"),
    object_result<&Results::parameters>(parameter_columns, "Parameters by where they sit"),
    object_result<&Results::layer_flops>(layer_columns, "Forward FLOPs of one layer, one micro-batch"),
    object_result<&Results::step_flops>(step_columns, "FLOPs of a step by phase"),
    result<&Results::rule_of_thumb_flops>("FLOPs of a step, counted as 6 N per token"),
    rows_result<&Results::activations>(activation_columns, "Activation memory by split and recomputation"),
    rows_result<&Results::zero_stages>(zero_columns, "Memory and data-parallel traffic by ZeRO stage"),
};

Outcome<Results> compute(const Inputs& inputs) {
  const Job job = completed(inputs.job);
  if (!can_exist(job)) return layout_problems(job);
  return sizes_report(job);
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "model_sizes", "Parameters, FLOPs and memory of a model, and the Playbook's table A2", groups);

}  // namespace model_sizes_table

const Calculation model_sizes = model_sizes_table::table;

}  // namespace commcost::calculations
