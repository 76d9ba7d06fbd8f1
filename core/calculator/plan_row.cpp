#include "core/calculator/plan_row.h"

#include "core/model/flops.h"
#include "core/step/duration.h"

namespace commcost {

PlanRow plan_row(const PlanInputs& inputs, const PlannedLayout& planned) {
  const Layout& layout = planned.inputs.layout;
  const Work& work = planned.inputs.work;
  const auto gpus = static_cast<double>(gpus_needed(layout));
  const auto sequences = static_cast<double>(work.global_batch_size);
  const double tokens_per_sec =
      sequences * static_cast<double>(work.sequence_length) / (planned.step_time_ms * 1e-3);
  const double peak = matrix_peak_tflops(planned.inputs.machine, work.bytes_per_element);
  return {layout.tensor_parallel,
          layout.sequence_parallel,
          layout.regather_input,
          layout.pipeline_parallel,
          layout.virtual_stages,
          layout.pipeline_schedule,
          layout.data_parallel,
          layout.zero_stage,
          layout.context_parallel,
          layout.expert_parallel,
          work.batch_size,
          work.recompute,
          planned.step_time_ms,
          planned.memory_gib,
          utilization_percent(step_flops(completed(planned.inputs.shape), work, sequences).model,
                              planned.step_time_ms, gpus, peak),
          tokens_per_sec / gpus,
          training_days(inputs.token_budget, tokens_per_sec),
          planned.parts};
}

}  // namespace commcost
