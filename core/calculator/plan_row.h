#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/calculator/layout_fields.h"
#include "core/calculator/step_fields.h"
#include "core/calculator/work_fields.h"
#include "core/hardware/basis.h"
#include "core/plan/search.h"

namespace commcost {

/// A setting that a search decided, in the inputs of training_step.
struct DecidedSetting {
  std::string_view name;
  std::string value;
  bool changed = false;
};

/// A layout of a plan, in the inputs of training_step.
struct PlanRow {
  std::int64_t family = 0;
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
  Basis basis = Basis::estimated;
  bool tie = false;
  double memory_gib = 0;
  double headroom_percent = 0;
  double mfu_percent = 0;
  double model_tflops_per_gpu = 0;
  double tokens_per_sec_per_gpu = 0;
  double training_days = 0;
  double gpu_hours = 0;
  double cost = 0;
  StepParts parts;
  std::vector<DecidedSetting> settings;
};

/// The columns of a setting.
inline constexpr ResultField setting_columns[] = {
    result<&DecidedSetting::name>("An input of training_step, one of searched_settings"),
    result<&DecidedSetting::value>("Its value, as text"),
    result<&DecidedSetting::changed>("Whether it differs from the one that was given"),
};

/// The columns of a layout.
inline constexpr ResultField plan_row_columns[] = {
    result<&PlanRow::family>("Place of its family in layouts, from 1; 0: not listed"),
    given_back<&PlanRow::tensor_parallel>(layout_fields),
    given_back<&PlanRow::sequence_parallel>(layout_fields),
    given_back<&PlanRow::regather_input>(recipe_layout_fields),
    given_back<&PlanRow::pipeline_parallel>(layout_fields),
    given_back<&PlanRow::virtual_stages>(layout_fields),
    given_back<&PlanRow::pipeline_schedule>(layout_fields),
    given_back<&PlanRow::data_parallel>(layout_fields),
    given_back<&PlanRow::zero_stage>(layout_fields),
    given_back<&PlanRow::context_parallel>(layout_fields),
    given_back<&PlanRow::expert_parallel>(layout_fields),
    given_back<&PlanRow::expert_tensor_parallel>(layout_fields),
    given_back<&PlanRow::batch_size>(work_fields),
    given_back<&PlanRow::recompute>(work_fields),
    step_result<&PlanRow::step_time_ms>(),
    step_result<&PlanRow::step_time_low_ms>(),
    step_result<&PlanRow::step_time_high_ms>(),
    choice_result<&PlanRow::basis>(basis_names, "Basis of the range"),
    result<&PlanRow::tie>("Whether it fits and its step time ties with the fastest layout's"),
    step_result<&PlanRow::memory_gib>(),
    result<&PlanRow::headroom_percent>("Memory left over, as a share of memory_limit_gib"),
    step_result<&PlanRow::mfu_percent>(),
    step_result<&PlanRow::model_tflops_per_gpu>(),
    step_result<&PlanRow::tokens_per_sec_per_gpu>(),
    step_result<&PlanRow::training_days>(),
    result<&PlanRow::gpu_hours>("GPU-hours of the whole run").in("GPU-hours"),
    result<&PlanRow::cost>("Cost of those GPU-hours, in the price's currency; 0 without a price"),
    object_result<&PlanRow::parts>(part_columns<all_step_parts>, "Time by part"),
    rows_result<&PlanRow::settings>(setting_columns,
                                    "Settings of searched_settings, as the search chose them"),
};

/// A job's value of a setting, as text that its input accepts.
std::string setting_text(const Setting& setting, const Job& job);

/// A layout that a search over `inputs` found, as a row: its training_step, compared with the fastest
/// layout's step and the families that the search lists.
PlanRow plan_row(const PlanInputs& inputs, const LayoutSearch& search, const PlannedLayout& planned);

}  // namespace commcost
