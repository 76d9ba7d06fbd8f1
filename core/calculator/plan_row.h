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
    whole_result<&PlanRow::tensor_parallel>("tensor_parallel", "GPUs", "Tensor degree"),
    result<&PlanRow::sequence_parallel>("sequence_parallel", "",
                                        "Whether tokens are shared between matrices"),
    result<&PlanRow::regather_input>("regather_input", "", "Whether inputs are gathered again"),
    whole_result<&PlanRow::pipeline_parallel>("pipeline_parallel", "stages", "Pipeline degree"),
    whole_result<&PlanRow::virtual_stages>("virtual_stages", "chunks", "Chunks per stage"),
    choice_result<&PlanRow::pipeline_schedule>("pipeline_schedule", pipeline_schedule_names,
                                               "Pipeline schedule"),
    whole_result<&PlanRow::data_parallel>("data_parallel", "replicas", "Data degree"),
    whole_result<&PlanRow::zero_stage>("zero_stage", "", "ZeRO stage"),
    whole_result<&PlanRow::context_parallel>("context_parallel", "GPUs", "Context degree"),
    whole_result<&PlanRow::expert_parallel>("expert_parallel", "GPUs", "Expert degree"),
    whole_result<&PlanRow::expert_tensor_parallel>("expert_tensor_parallel", "GPUs",
                                                   "Expert-tensor degree; 0: as the tensor degree"),
    whole_result<&PlanRow::batch_size>("batch_size", "sequences", "Micro-batch"),
    choice_result<&PlanRow::recompute>("recompute", recompute_names, "What is recomputed"),
    result<&PlanRow::step_time_ms>("step_time_ms", "ms", "Time of a training step"),
    result<&PlanRow::step_time_low_ms>("step_time_low_ms", "ms", "Lower end of the prediction's band"),
    result<&PlanRow::step_time_high_ms>("step_time_high_ms", "ms", "Upper end of the prediction's band"),
    result<&PlanRow::tie>("tie", "", "Whether it fits and its step time ties with the best layout's"),
    result<&PlanRow::memory_gib>("memory_gib", "GiB", "Memory of the fullest GPU"),
    result<&PlanRow::headroom_percent>("headroom_percent", "%",
                                       "Memory left over, as a share of memory_limit_gib"),
    result<&PlanRow::mfu_percent>("mfu_percent", "%", "Model FLOPs utilization (MFU), of the peak"),
    result<&PlanRow::tokens_per_sec_per_gpu>("tokens_per_sec_per_gpu", "tokens/s",
                                             "Tokens per second per GPU"),
    result<&PlanRow::training_days>("training_days", "days", "Days for the whole token budget"),
    result<&PlanRow::gpu_hours>("gpu_hours", "GPU-hours", "GPU-hours of the whole run"),
    result<&PlanRow::cost>("cost", "", "Cost of those GPU-hours, in the price's currency; 0 without a price"),
    object_result<&PlanRow::parts>("parts", step_part_columns, "Where the time goes"),
};

/// A layout that a search over `inputs` found, as a row: what training_step says of it, beside the best
/// layout's step, of a GPU that has `limit_gib`.
PlanRow plan_row(const PlanInputs& inputs, const PlannedLayout& planned, double best_ms, double limit_gib);

}  // namespace commcost
