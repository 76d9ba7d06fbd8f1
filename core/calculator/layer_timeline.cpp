#include "core/textbook/layer_timeline.h"
#include "core/calculator/calculations.h"
#include "core/calculator/common_fields.h"
#include "core/calculator/job_fields.h"
#include "core/calculator/machine_fields.h"
#include "core/compute/matrix_peak.h"
#include "core/parallel/job_problems.h"

namespace commcost::calculations {
namespace layer_timeline_table {

/// What layer_timeline takes.
struct TimelineInputs {
  Job job;
  TimelineRates rates;  ///< the machine's own are filled in
};

using Inputs = TimelineInputs;

using Results = LayerTimeline;

constexpr InputField own_fields[] = {
    latency_field<&TimelineRates::latency_us>().or_default(usual_latency_us),
    whole<&TimelineRates::chunks>(1, 16, "Pieces of products and transfers that overlap each other; 1: whole")
        .labelled("Overlapped chunks")
        .or_default(1),
};

// One layer, one micro-batch, one tensor rank.
constexpr auto layer_work_fields =
    picked(work_fields, {"sequence_length", "batch_size", "bytes_per_element", "recompute"});
constexpr auto layer_layout_fields =
    picked(layout_fields, {"tensor_parallel", "sequence_parallel", "context_parallel", "data_parallel",
                           "expert_parallel", "expert_tensor_parallel", "activation_wire_bytes_per_element"});
constexpr InputField layer_recipe_field[] = {
    recipe_field[0].filled_by("accelerator").usually(detail::usual_recipe_of)};
constexpr auto layer_recipe_work_fields = picked(
    recipe_work_fields, {"flash_attention", "dropout", "recompute_attention_core", "recompute_elementwise",
                         "recompute_latent_projections", "recompute_products"});
constexpr auto layer_recipe_layout_fields =
    picked(recipe_layout_fields, {"regather_input", "overlap_tensor", "context_scheme",
                                  "dispatch_wire_bytes_per_element", "combine_wire_bytes_per_element"});

constexpr auto accelerator_field = picked(system_machine_fields, {"accelerator"});

constexpr FieldGroup groups[] = {
    of_job<Inputs, &Job::machine>(system_field),
    of_job<Inputs, &Job::machine>(accelerator_field),
    of_job<Inputs, &Job::machine>(rate_fields),
    of_job<Inputs>(layer_recipe_field),
    of_job<Inputs, &Job::model>(model_field),
    of_job<Inputs, &Job::model>(model_shape_fields),
    of_job<Inputs, &Job::work>(layer_work_fields),
    of_job<Inputs, &Job::work>(mode_field),
    of_job<Inputs, &Job::work>(layer_recipe_work_fields),
    of_job<Inputs, &Job::layout>(layer_layout_fields),
    of_job<Inputs, &Job::layout>(layer_recipe_layout_fields),
    group_of<&Inputs::rates>(own_fields),
};

constexpr ResultField columns[] = {
    choice_result<&Bar::lane>(lane_names, "Stream"),
    choice_result<&Bar::pass>(pass_names, "The pass"),
    choice_result<&Bar::operation>(activity_names, "The operation"),
    result<&Bar::start_us>("Start, from the beginning of the layer"),
    result<&Bar::duration_us>("Duration"),
    result<&Bar::exposed_us>("The part of a transfer during which compute waits"),
    result<&Bar::message_size_bytes>("Message size of each call, as nccl-tests counts it"),
    result<&Bar::calls>("Calls of the transfer, one after the other").in("calls"),
    whole_result<&Bar::group_size>("GPUs in the group").in("GPUs"),
};

constexpr ResultField results[] = {
    rows_result<&Results::bars>(columns, "Operations of one layer, forward and backward"),
    result<&Results::forward_us>("Forward pass"),
    result<&Results::backward_us>("Backward pass, with recomputation"),
    result<&Results::compute_us>("Time of all compute"),
    result<&Results::communication_us>("Time of all transfers"),
    result<&Results::exposed_us>("Communication that compute waits for"),
};

Outcome<Results> compute(const Inputs& inputs) {
  const Job job = completed(inputs.job);
  if (!can_run(job)) return problems_of(job);
  const Machine& machine = job.machine;
  TimelineRates rates = inputs.rates;
  rates.compute = KernelPricer::at_line_rates(matrix_peak_tflops(machine, job.work), machine.hbm_gb_per_sec);
  rates.bandwidth_gb_per_sec = machine.bandwidth_gb_per_sec;
  return commcost::layer_timeline(job, rates);
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "layer_timeline", "Timeline of one layer on one GPU: what it computes and sends, and when", groups);

}  // namespace layer_timeline_table

const Calculation layer_timeline = layer_timeline_table::table;

}  // namespace commcost::calculations
