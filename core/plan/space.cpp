#include "core/plan/space.h"

#include <algorithm>

#include "core/parallel/layout_problems.h"
#include "core/parallel/recipes.h"

namespace commcost {
namespace {

constexpr std::int64_t most_virtual_stages = 16;

}  // namespace

std::vector<std::int64_t> divisors(std::int64_t number) {
  std::vector<std::int64_t> found;
  for (std::int64_t low = 1; low <= number / low; ++low) {
    if (number % low != 0) continue;
    found.push_back(low);
    if (low != number / low) found.push_back(number / low);
  }
  std::sort(found.begin(), found.end());
  return found;
}

TrainingStepInputs step_inputs(const PlanInputs& inputs, const Degrees& degrees) {
  TrainingStepInputs step;
  step.shape = inputs.shape;
  step.machine = inputs.machine;
  step.work.sequence_length = inputs.sequence_length;
  step.work.batch_size = 1;
  step.work.global_batch_size = inputs.global_batch_size;
  step.work.bytes_per_element = inputs.bytes_per_element;
  step.work.optimizer_bytes_per_parameter = inputs.optimizer_bytes_per_parameter;
  step.work.causal_attention = inputs.causal_attention;
  step.layout.tensor_parallel = degrees.tensor;
  step.layout.context_parallel = degrees.context;
  step.layout.expert_parallel = degrees.expert;
  step.layout.pipeline_parallel = degrees.pipeline;
  step.layout.data_parallel = degrees.data;
  copy_stack(inputs.stack, step);
  return step;
}

std::vector<Degrees> all_degrees(const PlanInputs& inputs) {
  std::vector<Degrees> found;
  const std::vector<std::int64_t> experts = divisors(std::max<std::int64_t>(1, inputs.shape.num_experts));
  for (const std::int64_t tensor : divisors(inputs.num_gpus)) {
    if (tensor > inputs.shape.num_heads) break;
    for (const std::int64_t context : divisors(inputs.num_gpus / tensor)) {
      if (context > inputs.sequence_length) break;
      for (const std::int64_t pipeline : divisors(inputs.num_gpus / (tensor * context))) {
        if (pipeline > inputs.shape.num_layers) break;
        const std::int64_t data = inputs.num_gpus / (tensor * context * pipeline);
        if (inputs.global_batch_size % data != 0) continue;
        for (const std::int64_t expert : experts) {
          const Degrees degrees{tensor, context, expert, pipeline, data};
          if (can_exist(completed(step_inputs(inputs, degrees)).setting)) found.push_back(degrees);
        }
      }
    }
  }
  return found;
}

std::vector<ScheduleChoice> all_schedules(const PlanInputs& inputs, std::int64_t stages,
                                          std::int64_t micro_batches) {
  if (stages == 1) return {{}};
  std::vector<ScheduleChoice> found = {{PipelineSchedule::one_f_one_b, 1},
                                       {PipelineSchedule::zero_bubble, 1}};
  if (inputs.zero_bubble_2p) found.push_back({PipelineSchedule::zero_bubble_2p, 1});
  if (micro_batches % stages != 0) return found;
  const std::int64_t most = std::min(inputs.shape.num_layers / stages, most_virtual_stages);
  for (std::int64_t chunks = 2; chunks <= most; ++chunks)
    found.push_back({PipelineSchedule::interleaved, chunks});
  return found;
}

std::vector<std::int64_t> all_zero_stages(std::int64_t replicas) {
  if (replicas == 1) return {0};
  return {0, 1, 2, 3};
}

}  // namespace commcost
