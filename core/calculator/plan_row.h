#pragma once

#include "core/base/result.h"
#include "core/calculator/step_fields.h"
#include "core/plan/search.h"

namespace commcost {

/// A layout of a plan, in the inputs of training_step.
struct PlanRow {
  std::int64_t tensor_parallel = 1;
  bool sequence_parallel = false;
  bool regather_input = false;
  std::int64_t pipeline_parallel = 1;
  std::int64_t virtual_stages = 1;
  PipelineSchedule pipeline_schedule = PipelineSchedule::one_f_one_b;
  std::int64_t data_parallel = 1;
  std::int64_t zero_stage = 0;
  std::int64_t context_parallel = 1;
  std::int64_t expert_parallel = 1;
  std::int64_t expert_tensor_parallel = 0;
  std::int64_t batch_size = 1;
  Recompute recompute = Recompute::none;
  double step_time_ms = 0;
  double step_time_low_ms = 0;
  double step_time_high_ms = 0;
  bool tie = false;
  double memory_gib = 0;
  double headroom_percent = 0;
  double mfu_percent = 0;
  double tokens_per_sec_per_gpu = 0;
  double training_days = 0;
  double gpu_hours = 0;
  double cost = 0;
  StepParts parts;
};

/// The columns of a layout.
inline constexpr ResultField plan_row_columns[] = {
    whole_result<&PlanRow::tensor_parallel>("Tensor degree").in("GPUs"),
    result<&PlanRow::sequence_parallel>("Whether tokens are shared between matrices"),
    result<&PlanRow::regather_input>("Whether inputs are gathered again"),
    whole_result<&PlanRow::pipeline_parallel>("Pipeline degree").in("stages"),
    whole_result<&PlanRow::virtual_stages>("Chunks per stage").in("chunks"),
    choice_result<&PlanRow::pipeline_schedule>(pipeline_schedule_names, "Pipeline schedule"),
    whole_result<&PlanRow::data_parallel>("Data degree").in("replicas"),
    whole_result<&PlanRow::zero_stage>("ZeRO stage"),
    whole_result<&PlanRow::context_parallel>("Context degree").in("GPUs"),
    whole_result<&PlanRow::expert_parallel>("Expert degree").in("GPUs"),
    whole_result<&PlanRow::expert_tensor_parallel>("Expert-tensor degree; 0: as the tensor degree")
        .in("GPUs"),
    whole_result<&PlanRow::batch_size>("Micro-batch").in("sequences"),
    choice_result<&PlanRow::recompute>(recompute_names, "What is recomputed"),
    result<&PlanRow::step_time_ms>("Time of a training step"),
    result<&PlanRow::step_time_low_ms>("Lower end of the prediction's band"),
    result<&PlanRow::step_time_high_ms>("Upper end of the prediction's band"),
    result<&PlanRow::tie>("Whether it fits and its step time ties with the best layout's"),
    result<&PlanRow::memory_gib>("Memory of the fullest GPU"),
    result<&PlanRow::headroom_percent>("Memory left over, as a share of memory_limit_gib"),
    result<&PlanRow::mfu_percent>("Model FLOPs utilization (MFU), of the peak"),
    result<&PlanRow::tokens_per_sec_per_gpu>("Tokens per second per GPU"),
    result<&PlanRow::training_days>("Days for the whole token budget"),
    result<&PlanRow::gpu_hours>("GPU-hours of the whole run").in("GPU-hours"),
    result<&PlanRow::cost>("Cost of those GPU-hours, in the price's currency; 0 without a price"),
    object_result<&PlanRow::parts>(step_part_columns, "Where the time goes"),
};

/// A layout that a search over `inputs` found, as a row: what training_step says of it, beside the best
/// layout's step, of a GPU that has `limit_gib`.
PlanRow plan_row(const PlanInputs& inputs, const PlannedLayout& planned, double best_ms, double limit_gib);

}  // namespace commcost
