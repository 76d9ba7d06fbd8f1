#include "core/training/training_step.h"

#include "core/base/units.h"
#include "core/calculator/calculations.h"
#include "core/calculator/common_fields.h"
#include "core/calculator/job_fields.h"
#include "core/calculator/machine_fields.h"
#include "core/calculator/scale_fields.h"
#include "core/calculator/step_fields.h"
#include "core/calculator/token_budget_field.h"
#include "core/training/constants.h"

namespace commcost::calculations {
namespace training_step_table {

using Inputs = TrainingStepInputs;
using Results = TrainingStep;

constexpr InputField run_fields[] = {
    token_budget_field<&Inputs::token_budget>(),
    flag<&Inputs::elasticities>("Whether to return elasticities: what the time depends on").or_default(0),
    flag<&Inputs::timeline>("Whether to return the pipeline's passes, stage by stage").or_default(0),
};

constexpr FieldGroup own_groups[] = {group<Inputs>(run_fields), group_of<&Inputs::scales>(scale_fields)};
constexpr auto groups = joined(machine_groups<Inputs>, host_groups<Inputs>, job_groups<Inputs>, own_groups);

constexpr ResultField memory_columns[] = {
    memory_result<&StepMemory::weights>("weights_gib", "Weights"),
    memory_result<&StepMemory::gradients>("gradients_gib", "Gradients"),
    memory_result<&StepMemory::optimizer>("optimizer_gib", "Optimizer state"),
    memory_result<&StepMemory::activations>("activations_gib", "Kept for the backward pass"),
    memory_result<&StepMemory::logits>("logits_gib", "Logits and what the loss needs"),
    memory_result<&StepMemory::working>("working_gib",
                                        "One layer at work, beyond the logits; weights that ZeRO-3 gathers"),
};

constexpr ResultField elasticity_columns[] = {
    result<&Elasticities::link>("Sensitivity to the scale-up bandwidth"),
    result<&Elasticities::network>("Sensitivity to the network's bandwidth"),
    result<&Elasticities::latency>("Sensitivity to the collectives' latency"),
    result<&Elasticities::matmul>("Sensitivity to the achievable FLOP rate"),
    result<&Elasticities::hbm>("Sensitivity to the memory's bandwidth"),
    result<&Elasticities::launch>("Sensitivity to the host's launches per second"),
    result<&Elasticities::overlap>("Sensitivity to the share of communication that can be hidden"),
};

constexpr ResultField traffic_columns[] = {
    choice_result<&DimensionTraffic::dimension>(
        dimension_names, "Parallelism that sends; sequence and vocabulary count as tensor"),
    result<&DimensionTraffic::scale_up_bytes>("Bytes that each GPU sends within its node"),
    result<&DimensionTraffic::network_bytes>("Bytes that each GPU sends to other nodes"),
    result<&DimensionTraffic::exposed_ms>("Exposed communication: what the step waits for"),
    result<&DimensionTraffic::step_share_percent>("Exposed communication, as a share of the step"),
};

constexpr ResultField bar_columns[] = {
    whole_result<&PipelineBar::stage>("Stage, from 0; the last one takes longest"),
    whole_result<&PipelineBar::chunk>("Chunk of the stage's layers, from 0"),
    whole_result<&PipelineBar::micro_batch>("Micro-batch, from 0"),
    choice_result<&PipelineBar::work>(stage_work_names, "The pass"),
    result<&PipelineBar::start_us>("Start, from the beginning of the step"),
    result<&PipelineBar::duration_us>("Duration, waiting for boundaries included"),
};

constexpr ResultField timeline_columns[] = {
    result<&PipelineTimeline::length_us>(
        "Length of the timeline, to the end of the last pass; time without a bar is bubble"),
    rows_result<&PipelineTimeline::bars>(bar_columns, "Passes, stage by stage; none unless asked for"),
};

constexpr ResultField class_columns[] = {
    result<&MeasuredClass::recipe>("Id of their recipe"),
    result<&MeasuredClass::accelerator>("Id of their accelerator"),
    choice_result<&MeasuredClass::kind>(run_kind_names, "Dense, with experts, or on stages that stall"),
    {"measured_series", FieldKind::whole, "series", "Their number",
     [](const ResultField&, const void* row, WireWriter& to) {
       to.number(static_cast<const MeasuredClass*>(row)->errors.series);
     }},
    {"measured_runs", FieldKind::whole, "runs", "Runs of these series",
     [](const ResultField&, const void* row, WireWriter& to) {
       to.number(static_cast<const MeasuredClass*>(row)->errors.runs);
     }},
};

// The classes in a set, each as a row of the table of all classes.
void write_classes(const ResultField& self, const void* results, WireWriter& to) {
  const ClassSet set = detail::read<&Results::band_classes>(results);
  const std::span<const MeasuredClass> all = measured_step_classes();
  const auto has = [set](std::size_t place) { return (set >> place & 1) != 0; };
  std::size_t count = 0;
  for (std::size_t place = 0; place < all.size(); ++place) count += has(place) ? 1 : 0;
  to.list(count);
  for (std::size_t place = 0; place < all.size(); ++place)
    if (has(place)) write_row(self.columns, &all[place], to);
}

constexpr ResultField band_classes_result = [] {
  ResultField field{"band_classes", FieldKind::list, "", "Classes of measured steps that the band is made of",
                    write_classes};
  field.columns = class_columns;
  return field;
}();

constexpr ResultField results[] = {
    step_result<&Results::step_time_ms>(),
    step_result<&Results::step_time_low_ms>(),
    step_result<&Results::step_time_high_ms>(),
    choice_result<&Results::basis>(basis_names, "Basis of the range"),
    choice_result<&Results::run_kind>(run_kind_names,
                                      "Class of measured runs that the range comes from; staged: runs whose "
                                      "pipeline stages stall for seconds at times, which no input predicts"),
    whole_result<&Results::measured_series>("Series (source, model, precision) on which the band rests"),
    whole_result<&Results::measured_runs>("Measured steps of those series"),
    step_result<&Results::measured_error_percent>(),
    band_classes_result,
    result<&Results::beyond_runs>("Inputs that go beyond any published run of the stack; empty: none"),
    step_result<&Results::memory_gib>(),
    step_result<&Results::memory_available_gib>(),
    memory_result<&Results::host_bytes>("host_memory_gib", "Host memory that each GPU's offloading takes"),
    step_result<&Results::fits>(),
    step_result<&Results::mfu_percent>(),
    result<&Results::hfu_percent>("Hardware FLOPs utilization (HFU): recomputation counts too"),
    step_result<&Results::model_tflops_per_gpu>(),
    step_result<&Results::tokens_per_sec_per_gpu>(),
    step_result<&Results::training_days>(),
    whole_result<&Results::cluster_gpus>("GPUs of the layout"),
    step_result<&Results::stack_checked>(),
    step_result<&Results::stack_rule>(),
    whole_result<&Results::micro_batches>("Micro-batches of a replica in a step"),
    choice_result<&Results::stage>(stage_place_names,
                                   "The pipeline stage that takes longest; parts and traffic are its own"),
    result<&Results::all_hidden_ms>("Step time if all communication were hidden"),
    result<&Results::none_hidden_ms>("Step time if no communication were hidden"),
    result<&Results::tensor_bandwidth_to_hide_gb_per_sec>(
        "Bandwidth, one way, per GPU, at which TP communication takes as long as the compute"),
    result<&Results::data_bandwidth_to_hide_gb_per_sec>(
        "Bandwidth, one way, per GPU, at which DP communication takes as long as the last backward pass"),
    result<&Results::bubble_percent>("Pipeline bubble, as a share of the step"),
    object_result<&Results::parts>(part_columns<all_step_parts>,
                                   "Time by part; the parts add up to the step"),
    object_result<&Results::memory>(memory_columns, "Memory by part; the parts add up to memory_gib"),
    object_result<&Results::elasticities>(
        elasticity_columns,
        "Change of the step's time, in percent, for one percent more of each; all 0 unless asked for"),
    rows_result<&Results::traffic>(traffic_columns, "Bytes that each dimension sends in a step"),
    object_result<&Results::timeline>(timeline_columns, "The pipeline in training"),
    rows_result<&Results::assumed>(assumption_columns, "Assumptions about the machine"),
};

constexpr Calculation table = calculation<Inputs, Results, commcost::next_training_step, results>(
    "training_step", "Time, memory and utilization of a training step, by part", groups, 16384);

}  // namespace training_step_table

const Calculation training_step = training_step_table::table;

}  // namespace commcost::calculations
