#include "core/plan/space.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/base/fixed_list.h"
#include "core/model/recomputation.h"
#include "core/parallel/layout_problems.h"
#include "core/parallel/stacks.h"

namespace commcost {

std::vector<std::int64_t> divisors(std::int64_t number) {
  std::vector<std::int64_t> found{1};
  for (std::int64_t prime = 2; number > 1; ++prime) {
    if (prime > number / prime) prime = number;
    const std::size_t without = found.size();
    for (std::int64_t power = prime; number % prime == 0; power *= prime) {
      number /= prime;
      for (std::size_t at = 0; at < without; ++at) found.push_back(found[at] * power);
    }
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
  job.work.batch_size = inputs.allowed.batch_size.pinned_or(1);
  job.layout.cluster_gpus = 0;
  spread(job.layout, degrees);
  return job;
}

namespace {

// Stacks offer one rank for each expert, or the tensor ranks; degrees between are searched if asked for, and
// more ranks than the other matrices have gain nothing.
bool tries_expert_tensor_degree(const AllowedValues& allowed, std::int64_t tensor, std::int64_t degree) {
  return tensor % degree == 0 &&
         (allowed.listed.empty() ? degree == 1 || degree == tensor : allowed.is_listed(degree));
}

std::vector<std::int64_t> all_expert_tensor_degrees(const PlanInputs& inputs, std::int64_t tensor) {
  const AllowedValues& allowed = inputs.allowed.expert_tensor_parallel;
  if (allowed.is_pinned()) return {allowed.pinned_or(0)};
  if (!has_experts(inputs.job.model)) return {0};
  std::vector<std::int64_t> found;
  for (const std::int64_t degree : divisors(tensor))
    if (tries_expert_tensor_degree(allowed, tensor, degree)) found.push_back(degree == tensor ? 0 : degree);
  return found;
}

// The allowed divisors of `whole`, of those not pinned up to `most`.
std::vector<std::int64_t> allowed_divisors(const AllowedValues& allowed, std::int64_t whole,
                                           std::int64_t most) {
  if (allowed.is_pinned()) {
    const std::int64_t pinned = allowed.pinned_or(1);
    return whole % pinned == 0 ? std::vector{pinned} : std::vector<std::int64_t>{};
  }
  std::vector<std::int64_t> found = divisors(whole);
  found.erase(std::remove_if(found.begin(), found.end(),
                             [&](std::int64_t one) { return one > most || !allowed.is_listed(one); }),
              found.end());
  return found;
}

}  // namespace

void for_all_products(const PlanInputs& inputs, const std::function<bool(const Degrees&)>& stop) {
  const Job& job = inputs.job;
  const AllowedLayouts& allowed = inputs.allowed;
  const std::int64_t gpus = job.layout.cluster_gpus;
  // A pinned degree that divides no number of experts is refused by name.
  const std::vector<std::int64_t> experts =
      allowed.expert_parallel.is_pinned()
          ? std::vector{allowed.expert_parallel.pinned_or(1)}
          : allowed_divisors(allowed.expert_parallel, std::max<std::int64_t>(1, job.model.num_experts),
                             job.model.num_experts + 1);
  for (const std::int64_t tensor : allowed_divisors(allowed.tensor_parallel, gpus, job.model.num_heads)) {
    const std::vector<std::int64_t> expert_tensors = all_expert_tensor_degrees(inputs, tensor);
    for (const std::int64_t context :
         allowed_divisors(allowed.context_parallel, gpus / tensor, job.work.sequence_length)) {
      const std::int64_t rest = gpus / (tensor * context);
      for (const std::int64_t pipeline :
           allowed_divisors(allowed.pipeline_parallel, rest, job.model.num_layers)) {
        if (!allowed.data_parallel.allows(rest / pipeline)) continue;
        for (const std::int64_t expert : experts)
          for (const std::int64_t expert_tensor : expert_tensors)
            if (stop(Degrees{tensor, context, expert, expert_tensor, pipeline, rest / pipeline})) return;
      }
    }
  }
}

std::vector<Degrees> all_degrees(const PlanInputs& inputs) {
  std::vector<Degrees> found;
  for_all_products(inputs, [&](const Degrees& degrees) {
    if (!possible_schedules(inputs, completed(job_of(inputs, degrees))).empty()) found.push_back(degrees);
    return false;
  });
  return found;
}

Dealing dealing_of(const ScheduleChoice& choice) {
  if (choice.schedule == PipelineSchedule::dualpipe) return Dealing::both_ways;
  if (choice.schedule == PipelineSchedule::dualpipe_v) return Dealing::folded;
  return choice.virtual_stages > 1 ? Dealing::in_chunks : Dealing::in_one_chunk;
}

bool may_use(const PlanInputs& inputs, const Job& job) {
  const auto& [shape, work, layout, stack, machine] = job;
  const AllowedLayouts& allowed = inputs.allowed;
  return keeps_pins(allowed, job) && allowed.tensor_parallel.is_listed(layout.tensor_parallel) &&
         allowed.context_parallel.is_listed(layout.context_parallel) &&
         allowed.expert_parallel.is_listed(layout.expert_parallel) &&
         (!has_experts(shape) || allowed.expert_tensor_parallel.is_listed(expert_tensor_degree(layout))) &&
         allowed.recompute.is_listed(static_cast<std::int64_t>(work.recompute)) &&
         (data_ranks(layout).size == 1 || allowed.zero_stage.is_listed(layout.zero_stage)) &&
         (layout.pipeline_parallel == 1 || may_use(inputs, layout.pipeline_schedule));
}

namespace {

bool tries_tokens(const PlanInputs& inputs, const Job& job) {
  const Layout& layout = job.layout;
  const bool pinned = inputs.allowed.sequence_parallel.is_pinned();
  if (!layout.sequence_parallel)
    return expert_tensor_degree(layout) == layout.tensor_parallel ||
           (pinned && inputs.allowed.expert_tensor_parallel.is_pinned());
  const std::int64_t ranks = layout.tensor_parallel * layout.context_parallel;
  return (pinned || layout.tensor_parallel > 1) && job.work.sequence_length % ranks == 0;
}

bool tries(const AllowedValues& recomputations, const Job& job, Recompute one) {
  if (recomputations.is_pinned()) return recomputations.allows(static_cast<std::int64_t>(one));
  return recomputations.is_listed(static_cast<std::int64_t>(one)) &&
         (one != Recompute::selective || selective_saves_memory(job.model, job.work));
}

}  // namespace

void LayerChoice::apply(Job& job) const {
  job.work.batch_size = micro_batch;
  job.work.recompute = recompute;
  job.layout.sequence_parallel = sequence_parallel;
}

std::vector<LayerChoice> all_layer_choices(const PlanInputs& inputs, const Job& job) {
  Job chosen = job;
  // Recomputation is the same in every micro-batch.
  std::array<FixedList<Recompute, std::size(recompute_names)>, 2> recomputed;
  for (const bool sequence : {false, true}) {
    chosen.layout.sequence_parallel = sequence;
    if (!inputs.allowed.sequence_parallel.allows(sequence) || !tries_tokens(inputs, chosen)) continue;
    for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
      chosen.work.recompute = recompute;
      if (tries(inputs.allowed.recompute, chosen, recompute) && can_run(chosen, AbilityScope::tokens))
        recomputed[sequence].add(recompute);
    }
  }
  std::vector<LayerChoice> found;
  const std::int64_t sequences = inputs.job.work.global_batch_size / job.layout.data_parallel;
  for (const std::int64_t micro_batch :
       allowed_divisors(inputs.allowed.batch_size, sequences, most_micro_batch)) {
    chosen.work.batch_size = micro_batch;
    for (const bool sequence : {false, true}) {
      chosen.layout.sequence_parallel = sequence;
      if (recomputed[sequence].size() == 0 || !can_run(chosen, AbilityScope::batch)) continue;
      for (const Recompute recompute : recomputed[sequence])
        found.push_back({micro_batch, recompute, sequence});
    }
  }
  return found;
}

bool is_searched(const PlanInputs& inputs, const Job& job) {
  const Work& work = job.work;
  const Layout& layout = job.layout;
  const AllowedLayouts& allowed = inputs.allowed;
  if (!may_use(inputs, job)) return false;
  if (work.batch_size > most_micro_batch && !allowed.batch_size.is_pinned()) return false;
  if (!tries_tokens(inputs, job) || !tries(allowed.recompute, job, work.recompute)) return false;
  if (!allowed.expert_tensor_parallel.is_pinned() &&
      !tries_expert_tensor_degree(allowed.expert_tensor_parallel, layout.tensor_parallel,
                                  expert_tensor_degree(layout)))
    return false;
  if (broken_ability(job) != nullptr) return false;
  const std::vector<std::int64_t> stages = all_zero_stages(inputs, job);
  const std::vector<ScheduleChoice> schedules =
      filled(all_schedules(inputs, job), layout.pipeline_parallel, micro_batches(work, layout));
  return std::find(stages.begin(), stages.end(), layout.zero_stage) != stages.end() &&
         std::any_of(schedules.begin(), schedules.end(), [&layout](const ScheduleChoice& choice) {
           return choice.schedule == layout.pipeline_schedule &&
                  choice.virtual_stages == layout.virtual_stages;
         });
}

bool may_use(const PlanInputs& inputs, PipelineSchedule schedule) {
  const AllowedValues& allowed = inputs.allowed.pipeline_schedule;
  return allowed.allows(static_cast<std::int64_t>(schedule)) &&
         (schedule != PipelineSchedule::zero_bubble_2p || inputs.zero_bubble_2p || allowed.is_pinned());
}

void choose(Layout& layout, const ScheduleChoice& choice) {
  layout.pipeline_schedule = choice.schedule;
  layout.virtual_stages = choice.virtual_stages;
}

ScheduleChoice of_one_stage(const AllowedLayouts& allowed) {
  const std::int64_t chunks = allowed.virtual_stages.pinned_or(1);
  const auto usual = chunks > 1 ? PipelineSchedule::interleaved : PipelineSchedule::one_f_one_b;
  const std::int64_t schedule = allowed.pipeline_schedule.pinned_or(static_cast<std::int64_t>(usual));
  return {static_cast<PipelineSchedule>(schedule), chunks};
}

std::vector<ScheduleChoice> all_schedules(const PlanInputs& inputs, const Job& job) {
  const std::int64_t stages = job.layout.pipeline_parallel;
  const AllowedValues& allowed_chunks = inputs.allowed.virtual_stages;
  std::vector<ScheduleChoice> found;
  Job chosen = job;
  const auto add = [&](ScheduleChoice choice) {
    choose(chosen.layout, choice);
    const bool exists = !allowed_chunks.is_pinned() || can_exist(chosen);
    if (!exists || !can_run(chosen, AbilityScope::schedule)) return;
    // A second copy of each stage is a replica, which shares state by a ZeRO stage that may be tried.
    if (held_copies(chosen.layout) == 1 || !all_zero_stages(inputs, chosen).empty()) found.push_back(choice);
  };
  if (stages == 1) {
    add(of_one_stage(inputs.allowed));
    return found;
  }
  const auto try_schedule = [&](PipelineSchedule schedule, std::int64_t chunks = 1) {
    if (may_use(inputs, schedule) && allowed_chunks.allows(chunks)) add({schedule, chunks});
  };
  try_schedule(PipelineSchedule::one_f_one_b);
  if (found.empty()) try_schedule(PipelineSchedule::gpipe);
  try_schedule(PipelineSchedule::zero_bubble);
  try_schedule(PipelineSchedule::zero_bubble_2p);
  if (stages % 2 == 0) try_schedule(PipelineSchedule::dualpipe);
  const std::int64_t layers = job.model.num_layers / stages;
  if (layers >= 2) try_schedule(PipelineSchedule::dualpipe_v);
  if (allowed_chunks.is_pinned()) {
    // One chunk is the same as 1F1B, unless that name is asked for.
    const std::int64_t chunks = allowed_chunks.pinned_or(1);
    if (chunks > 1 || inputs.allowed.pipeline_schedule.is_pinned())
      try_schedule(PipelineSchedule::interleaved, chunks);
  } else {
    for (std::int64_t chunks = 2; chunks <= std::min(layers, most_virtual_stages); ++chunks)
      try_schedule(PipelineSchedule::interleaved, chunks);
  }
  return found;
}

std::vector<ScheduleChoice> possible_schedules(const PlanInputs& inputs, const Job& job) {
  const bool may_exist = inputs.job.work.global_batch_size % job.layout.data_parallel == 0 &&
                         can_exist(job) && can_run(job, AbilityScope::degrees);
  return may_exist && !all_zero_stages(inputs, job).empty() ? all_schedules(inputs, job)
                                                            : std::vector<ScheduleChoice>();
}

void fill_into(std::vector<ScheduleChoice>& found, const std::vector<ScheduleChoice>& schedules,
               std::int64_t stages, std::int64_t micro_batches) {
  found.clear();
  found.reserve(schedules.size());
  for (const ScheduleChoice& choice : schedules) {
    const bool enough = micro_batches >= 2 * stages;
    const bool fills = stages == 1                                       ? true
                       : choice.virtual_stages > 1                       ? micro_batches % stages == 0
                       : choice.schedule == PipelineSchedule::dualpipe   ? enough && micro_batches % 2 == 0
                       : choice.schedule == PipelineSchedule::dualpipe_v ? enough
                                                                         : true;
    if (fills) found.push_back(choice);
  }
}

std::vector<ScheduleChoice> filled(const std::vector<ScheduleChoice>& schedules, std::int64_t stages,
                                   std::int64_t micro_batches) {
  std::vector<ScheduleChoice> found;
  fill_into(found, schedules, stages, micro_batches);
  return found;
}

std::vector<std::int64_t> all_zero_stages(const PlanInputs& inputs, const Job& job) {
  // One replica has nothing to share.
  if (data_ranks(job.layout).size == 1) return {inputs.allowed.zero_stage.pinned_or(0)};
  std::vector<std::int64_t> found;
  Job chosen = job;
  for (const std::int64_t stage : {0, 1, 2, 3}) {
    chosen.layout.zero_stage = stage;
    if (inputs.allowed.zero_stage.allows(stage) && can_run(chosen, AbilityScope::zero))
      found.push_back(stage);
  }
  return found;
}

}  // namespace commcost
