#include "core/calculator/calculations.h"
#include "core/calculator/job_fields.h"
#include "core/calculator/machine_fields.h"
#include "core/parallel/job_problems.h"
#include "core/training/ledger_report.h"
#include "core/training/step_memo.h"

namespace commcost::calculations {
namespace communication_ledger_table {

/// What communication_ledger takes.
struct LedgerInputs {
  Job job;
  LedgerStage stage = LedgerStage::busiest;
};

using Inputs = LedgerInputs;

using Row = LedgerRow;
using Results = LedgerReport;

constexpr InputField stage_field[] = {
    choice<&Inputs::stage>(ledger_stage_names,
                           "Pipeline stage: the first of those that send most bytes, the first, the inner "
                           "one with most experts, or the last")
        .or_default(0)};

// What changes bytes, calls or the time of a message; compute has no part in it.
constexpr auto sent_work_fields =
    picked(work_fields,
           {"sequence_length", "batch_size", "global_batch_size", "bytes_per_element", "recompute",
            "recomputed_layers", "expert_imbalance_percent", "expert_capacity_factor", "pad_expert_inputs"});
constexpr auto sent_recipe_work_fields = picked(recipe_work_fields, {"gradient_bytes_per_element"});
constexpr auto sent_stack_fields = picked(stack_fields, {"collective_start_us", "time_scale"});
constexpr auto sent_rate_fields = picked(rate_fields, {"bandwidth_gb_per_sec", "hbm_gb_per_sec"});

constexpr FieldGroup groups[] = {
    group<Inputs>(stage_field),
    of_job<Inputs, &Job::machine>(system_field),
    of_job<Inputs, &Job::machine>(system_machine_fields),
    of_job<Inputs, &Job::machine>(sent_rate_fields),
    of_job<Inputs, &Job::machine>(calibration_fields),
    of_job<Inputs>(training_recipe_field),
    of_job<Inputs, &Job::model>(model_field),
    of_job<Inputs, &Job::model>(model_shape_fields),
    of_job<Inputs, &Job::work>(sent_work_fields),
    of_job<Inputs, &Job::work>(sent_recipe_work_fields),
    of_job<Inputs, &Job::layout>(layout_fields),
    of_job<Inputs, &Job::layout>(recipe_layout_fields),
    of_job<Inputs, &Job::stack>(sent_stack_fields),
};

constexpr ResultField columns[] = {
    choice_result<&Row::dimension>(dimension_names, "Parallelism that sends it"),
    choice_result<&Row::phase>(phase_names, "Phase of the step"),
    choice_result<&Row::part>(part_names, "Part of the model that it is for"),
    choice_result<&Row::payload>(payload_names, "The payload"),
    choice_result<&Row::collective>(collective_names, "The collective"),
    whole_result<&Row::group_size>("GPUs that take part in a call").in("GPUs"),
    result<&Row::message_size_bytes>("Message of one call, as nccl-tests counts it"),
    whole_result<&Row::calls>("Calls per GPU in a step"),
    result<&Row::sent_bytes_per_gpu>("Bytes that each GPU sends in all calls, by a ring"),
    result<&Row::network_bytes_per_gpu>("Part of these bytes that leaves the node"),
    result<&Row::time_us>("Time of all calls as in training_step, before overlap"),
    result<&Row::line_rate_us>(
        "Time of all calls at the bandwidth of link and network: no latency, no overlap"),
    result<&Row::critical_path>("Whether it is on the critical path: no compute hides it"),
    choice_result<&Row::overlaps_with>(overlaps_with_names, "The compute that may overlap it")
        .named("hidden_by"),
    choice_result<&Row::stages>(stages_names, "Pipeline stages that take part"),
    result<&Row::sent_by_stage>("Whether the ledger's stage takes part"),
    result<&Row::quantized_bytes_per_gpu>("Memory read and written to change the data type; 0: not changed"),
    result<&Row::quantizing_time_us>("Time of those conversions at the memory's bandwidth"),
};

template <class Sum>
constexpr auto sum_columns(const ResultField& heading) {
  return std::array{
      heading,
      whole_result<&Sum::calls>("Calls per GPU in a step"),
      result<&Sum::sent_bytes_per_gpu>("Bytes that each GPU sends"),
      result<&Sum::network_bytes_per_gpu>("Part of these bytes that leaves the node"),
      result<&Sum::time_us>("Time as in training_step, before overlap"),
      result<&Sum::critical_time_us>("Part of that time that no compute hides"),
      result<&Sum::share>("Share of all bytes sent, 0 to 1"),
  };
}

constexpr auto dimension_columns = sum_columns<LedgerPart<Dimension>>(
    choice_result<&LedgerPart<Dimension>::heading>(dimension_names, "The parallelism").named("dimension"));
constexpr auto collective_columns = sum_columns<LedgerPart<Collective>>(
    choice_result<&LedgerPart<Collective>::heading>(collective_names, "Collective").named("collective"));

constexpr ResultField bin_columns[] = {
    whole_result<&MessageSizeBin::at_least_bytes>(
        "Smallest message of the bin; the next bin starts at twice that"),
    whole_result<&MessageSizeBin::calls>("Calls per GPU in a step"),
    result<&MessageSizeBin::sent_bytes_per_gpu>("Bytes that each GPU sends"),
};

constexpr ResultField results[] = {
    choice_result<&Results::stage>(stage_place_names, "The stage that the sums are for, by its place"),
    rows_result<&Results::rows>(columns, "Every kind of call"),
    rows_result<&Results::by_dimension>(dimension_columns, "Sums for the stage, by dimension"),
    rows_result<&Results::by_collective>(collective_columns, "Sums for the stage, by collective"),
    rows_result<&Results::message_sizes>(bin_columns, "Calls of the stage, by message size"),
    result<&Results::sent_bytes_per_gpu>("Bytes that each GPU of the stage sends in a step"),
    result<&Results::network_bytes_per_gpu>("Part of these bytes that leaves the node"),
    result<&Results::time_us>("Time as in training_step, before overlap"),
    result<&Results::line_rate_us>("Time at the bandwidth of link and network"),
    result<&Results::critical_time_us>("Part of time_us that no compute hides"),
    result<&Results::quantizing_time_us>("Time spent on changing data types"),
    whole_result<&Results::cluster_gpus>("GPUs of the layout"),
    whole_result<&Results::micro_batches>("Micro-batches of a replica in a step"),
    whole_result<&Results::layers_per_stage>("Layers of the busiest stage"),
    whole_result<&Results::parameters>("Parameters of the model"),
    result<&Results::parameters_per_gpu>("Parameters on the fullest GPU"),
    result<&Results::bubble_of_ideal>(
        "Pipeline bubble by the textbook formula, over the time of compute alone"),
    result<&Results::bubble_of_total>("Pipeline bubble by the textbook formula, over the whole time"),
};

// Separate from that of steps: a step's job has inputs that a ledger's lacks.
struct Memory {
  StepMemo steps;
};

Outcome<Results> compute(const Inputs& inputs, Memory& memory) {
  if (!memory.steps.take(completed(inputs.job), {})) return problems_of(completed(inputs.job));
  const StepModel& step = memory.steps.model();
  if (inputs.stage == LedgerStage::inner && step.job().layout.pipeline_parallel < 3) {
    return must_be("stage", ProblemCode::inconsistent,
                   "busiest, first or last with fewer than 3 stages: none is between them", "inner");
  }
  return ledger_report(step, inputs.stage);
}

constexpr Calculation table = unswept_calculation<Inputs, Results, compute, results>(
    "communication_ledger", "Messages and bytes of every parallelism in a training step", groups);

}  // namespace communication_ledger_table

const Calculation communication_ledger = communication_ledger_table::table;

}  // namespace commcost::calculations
