#include "core/plan/space.h"

#include <algorithm>

#include "core/model/recomputation.h"
#include "core/parallel/layout_problems.h"
#include "core/parallel/stacks.h"

namespace commcost {
namespace {

template <class Choice>
bool has_bit(std::uint32_t choices, Choice one) {
  return (choices >> static_cast<int>(one) & 1) != 0;
}

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

void spread(Layout& layout, const Degrees& degrees) {
  layout.tensor_parallel = degrees.tensor;
  layout.context_parallel = degrees.context;
  layout.expert_parallel = degrees.expert;
  layout.expert_tensor_parallel = degrees.expert_tensor;
  layout.pipeline_parallel = degrees.pipeline;
  layout.data_parallel = degrees.data;
}

Job job_of(const PlanInputs& inputs, const Degrees& degrees) {
  Job job = inputs.job;
  job.work.batch_size = 1;
  job.layout.cluster_gpus = 0;
  spread(job.layout, degrees);
  return job;
}

namespace {

// One rank for each expert or the tensor ranks are what stacks offer; degrees between are searched where they
// are asked for, and more ranks than the other matrices have gain nothing.
bool tries_expert_tensor_degree(const PlanInputs& inputs, std::int64_t tensor, std::int64_t degree) {
  const Value::Numbers& allowed = inputs.allowed_expert_tensor_degrees;
  return tensor % degree == 0 &&
         (allowed.empty() ? degree == 1 || degree == tensor : allows(allowed, degree));
}

std::vector<std::int64_t> all_expert_tensor_degrees(const PlanInputs& inputs, std::int64_t tensor) {
  if (!has_experts(inputs.job.model)) return {0};
  std::vector<std::int64_t> found;
  for (const std::int64_t degree : divisors(tensor))
    if (tries_expert_tensor_degree(inputs, tensor, degree)) found.push_back(degree == tensor ? 0 : degree);
  return found;
}

}  // namespace

std::vector<Degrees> all_degrees(const PlanInputs& inputs) {
  std::vector<Degrees> found;
  const std::vector<std::int64_t> experts = divisors(std::max<std::int64_t>(1, inputs.job.model.num_experts));
  const auto add = [&](const Degrees& degrees) {
    const Job job = completed(job_of(inputs, degrees));
    if (can_exist(job) && can_run(job, AbilityScope::degrees) && !all_schedules(inputs, job).empty() &&
        !all_zero_stages(inputs, job).empty())
      found.push_back(degrees);
  };
  for (const std::int64_t tensor : divisors(inputs.job.layout.cluster_gpus)) {
    if (tensor > inputs.job.model.num_heads) break;
    if (!allows(inputs.allowed_tensor_degrees, tensor)) continue;
    for (const std::int64_t context : divisors(inputs.job.layout.cluster_gpus / tensor)) {
      if (context > inputs.job.work.sequence_length) break;
      if (!allows(inputs.allowed_context_degrees, context)) continue;
      for (const std::int64_t pipeline : divisors(inputs.job.layout.cluster_gpus / (tensor * context))) {
        if (pipeline > inputs.job.model.num_layers) break;
        const std::int64_t data = inputs.job.layout.cluster_gpus / (tensor * context * pipeline);
        if (inputs.job.work.global_batch_size % data != 0) continue;
        for (const std::int64_t expert : experts) {
          if (!allows(inputs.allowed_expert_degrees, expert)) continue;
          for (const std::int64_t expert_tensor : all_expert_tensor_degrees(inputs, tensor))
            add({tensor, context, expert, expert_tensor, pipeline, data});
        }
      }
    }
  }
  return found;
}

Dealing dealing_of(const ScheduleChoice& choice) {
  if (choice.schedule == PipelineSchedule::dualpipe) return Dealing::both_ways;
  if (choice.schedule == PipelineSchedule::dualpipe_v) return Dealing::folded;
  return choice.virtual_stages > 1 ? Dealing::in_chunks : Dealing::in_one_chunk;
}

bool may_use(const PlanInputs& inputs, const Job& job) {
  const auto& [shape, work, layout, stack, machine] = job;
  return allows(inputs.allowed_tensor_degrees, layout.tensor_parallel) &&
         allows(inputs.allowed_context_degrees, layout.context_parallel) &&
         allows(inputs.allowed_expert_degrees, layout.expert_parallel) &&
         (!has_experts(shape) ||
          allows(inputs.allowed_expert_tensor_degrees, expert_tensor_degree(layout))) &&
         has_bit(inputs.allowed_recomputations, work.recompute) &&
         (data_ranks(layout).size == 1 || allows(inputs.allowed_zero_stages, layout.zero_stage)) &&
         (layout.pipeline_parallel == 1 || may_use(inputs, layout.pipeline_schedule));
}

bool tries_tokens(const Job& job) {
  const Layout& layout = job.layout;
  if (!layout.sequence_parallel) return expert_tensor_degree(layout) == layout.tensor_parallel;
  const std::int64_t ranks = layout.tensor_parallel * layout.context_parallel;
  return layout.tensor_parallel > 1 && job.work.sequence_length % ranks == 0;
}

bool is_searched(const PlanInputs& inputs, const Job& job) {
  const Work& work = job.work;
  const Layout& layout = job.layout;
  if (!may_use(inputs, job) || work.batch_size > most_micro_batch) return false;
  if (!tries_tokens(job)) return false;
  if (!tries_expert_tensor_degree(inputs, layout.tensor_parallel, expert_tensor_degree(layout))) return false;
  const std::vector<Recompute> recomputations = all_recomputations(inputs, job);
  if (broken_ability(job) != nullptr) return false;
  const std::vector<std::int64_t> stages = all_zero_stages(inputs, job);
  const std::vector<ScheduleChoice> schedules =
      filled(all_schedules(inputs, job), layout.pipeline_parallel, micro_batches(work, layout));
  return std::find(recomputations.begin(), recomputations.end(), work.recompute) != recomputations.end() &&
         std::find(stages.begin(), stages.end(), layout.zero_stage) != stages.end() &&
         std::any_of(schedules.begin(), schedules.end(), [&layout](const ScheduleChoice& choice) {
           return choice.schedule == layout.pipeline_schedule &&
                  choice.virtual_stages == layout.virtual_stages;
         });
}

bool may_use(const PlanInputs& inputs, PipelineSchedule schedule) {
  return has_bit(inputs.allowed_schedules, schedule) &&
         (schedule != PipelineSchedule::zero_bubble_2p || inputs.zero_bubble_2p);
}

std::vector<ScheduleChoice> all_schedules(const PlanInputs& inputs, const Job& job) {
  const std::int64_t stages = job.layout.pipeline_parallel;
  if (stages == 1) return {{}};
  std::vector<ScheduleChoice> found;
  Job chosen = job;
  const auto add = [&](PipelineSchedule schedule, std::int64_t chunks) {
    if (!may_use(inputs, schedule)) return;
    chosen.layout.pipeline_schedule = schedule;
    chosen.layout.virtual_stages = chunks;
    if (can_run(chosen, AbilityScope::schedule)) found.push_back({schedule, chunks});
  };
  add(PipelineSchedule::one_f_one_b, 1);
  if (found.empty()) add(PipelineSchedule::gpipe, 1);
  add(PipelineSchedule::zero_bubble, 1);
  add(PipelineSchedule::zero_bubble_2p, 1);
  if (stages % 2 == 0) add(PipelineSchedule::dualpipe, 1);
  if (job.model.num_layers / stages >= 2) add(PipelineSchedule::dualpipe_v, 1);
  const std::int64_t most = std::min(job.model.num_layers / stages, most_virtual_stages);
  for (std::int64_t chunks = 2; chunks <= most; ++chunks) add(PipelineSchedule::interleaved, chunks);
  return found;
}

std::vector<ScheduleChoice> filled(const std::vector<ScheduleChoice>& schedules, std::int64_t stages,
                                   std::int64_t micro_batches) {
  std::vector<ScheduleChoice> found;
  found.reserve(schedules.size());
  for (const ScheduleChoice& choice : schedules) {
    const bool enough = micro_batches >= 2 * stages;
    const bool fills = choice.schedule == PipelineSchedule::interleaved  ? micro_batches % stages == 0
                       : choice.schedule == PipelineSchedule::dualpipe   ? enough && micro_batches % 2 == 0
                       : choice.schedule == PipelineSchedule::dualpipe_v ? enough
                                                                         : true;
    if (fills) found.push_back(choice);
  }
  return found;
}

std::vector<std::int64_t> all_zero_stages(const PlanInputs& inputs, const Job& job) {
  // One replica has nothing to share.
  if (data_ranks(job.layout).size == 1) return {0};
  std::vector<std::int64_t> found;
  Job chosen = job;
  for (const std::int64_t stage : {0, 1, 2, 3}) {
    chosen.layout.zero_stage = stage;
    if (allows(inputs.allowed_zero_stages, stage) && can_run(chosen, AbilityScope::zero))
      found.push_back(stage);
  }
  return found;
}

std::vector<Recompute> all_recomputations(const PlanInputs& inputs, const Job& job) {
  std::vector<Recompute> found;
  for (const Recompute one : {Recompute::none, Recompute::selective, Recompute::full}) {
    if (one == Recompute::selective && !selective_saves_memory(job.model, job.work)) continue;
    if (has_bit(inputs.allowed_recomputations, one)) found.push_back(one);
  }
  return found;
}

bool allows(const Value::Numbers& values, std::int64_t one) {
  return values.empty() || std::find(values.begin(), values.end(), static_cast<double>(one)) != values.end();
}

}  // namespace commcost
