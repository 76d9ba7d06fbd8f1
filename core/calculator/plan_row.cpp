#include "core/calculator/plan_row.h"

#include <span>

#include "core/calculator/stack_fields.h"
#include "core/plan/ties.h"

namespace commcost {
namespace {

constexpr double hours_per_day = 24;

// Its place among the families that are listed, from 1.
std::int64_t family_of(const LayoutSearch& search, const PlannedLayout& planned) {
  std::int64_t place = 0;
  for (const PlannedLayout& listed : search.best()) {
    ++place;
    if (listed.division == planned.division) return place;
  }
  return 0;
}

std::vector<DecidedSetting> settings_of(const PlanInputs& inputs, const Job& job) {
  std::vector<DecidedSetting> decided;
  for (const SearchedSetting& searched : searched_settings(inputs)) {
    const Setting& setting = all_settings()[searched.place];
    decided.push_back({setting.name, setting_text(setting, job), setting.of(job) != setting.of(inputs.job)});
  }
  return decided;
}

}  // namespace

std::string setting_text(const Setting& setting, const Job& job) {
  const std::span<const InputField> tables[] = {work_fields, recipe_work_fields, recipe_layout_fields,
                                                stack_fields};
  for (const std::span<const InputField> table : tables) {
    for (const InputField& input : table) {
      if (input.field.name != setting.name) continue;
      const Value value = value_of(input.field, static_cast<double>(setting.of(job)));
      if (const bool* flag = value.flag()) return *flag ? "true" : "false";
      return value.text() != nullptr ? *value.text() : text_of(*value.number());
    }
  }
  return {};
}

PlanRow plan_row(const PlanInputs& inputs, const LayoutSearch& search, const PlannedLayout& planned) {
  const double limit_gib = search.limit_gib();
  const Layout& layout = planned.job.layout;
  const Work& work = planned.job.work;
  const Outcome<TrainingStep> step = training_step({planned.job, {}, inputs.token_budget});
  const TrainingStep known = step ? *step : TrainingStep{};
  const double gpu_hours = known.training_days * hours_per_day * static_cast<double>(gpus_needed(layout));
  return {family_of(search, planned),
          layout.tensor_parallel,
          layout.sequence_parallel,
          layout.regather_input,
          layout.pipeline_parallel,
          layout.virtual_stages,
          layout.pipeline_schedule,
          layout.data_parallel,
          layout.zero_stage,
          layout.context_parallel,
          layout.expert_parallel,
          layout.expert_tensor_parallel,
          work.batch_size,
          work.recompute,
          planned.step_time_ms,
          known.step_time_low_ms,
          known.step_time_high_ms,
          known.basis,
          planned.memory_gib <= limit_gib && search.fastest() != nullptr &&
              are_a_tie(planned.step_time_ms, search.fastest()->step_time_ms),
          planned.memory_gib,
          100 * (1 - planned.memory_gib / limit_gib),
          known.mfu_percent,
          known.model_tflops_per_gpu,
          known.tokens_per_sec_per_gpu,
          known.training_days,
          gpu_hours,
          gpu_hours * inputs.price_per_gpu_hour,
          planned.parts,
          settings_of(inputs, planned.job)};
}

}  // namespace commcost
