#pragma once

#include <cstdint>
#include <vector>

#include "core/base/value.h"
#include "core/training/training_step.h"

namespace commcost {

/// Whether `values` is empty or has `one`.
bool allows(const Value::Numbers& values, std::int64_t one);

/// Every bit of a set of choices.
inline constexpr std::uint32_t all_choices = 0xffffffff;

/// What is to be trained, and on what: the search finds how. Of the job, degrees, schedule, ZeRO stage,
/// micro-batch and recomputation are what is sought; all GPUs of the cluster are used.
struct PlanInputs {
  Job job;
  bool zero_bubble_2p = false;  ///< whether to try the schedule that holds twice the activations
  std::uint32_t allowed_schedules = all_choices;       ///< bits by PipelineSchedule
  std::uint32_t allowed_recomputations = all_choices;  ///< bits by Recompute
  Value::Numbers allowed_zero_stages;                  ///< none: all, as the next four
  Value::Numbers allowed_tensor_degrees;
  Value::Numbers allowed_context_degrees;
  Value::Numbers allowed_expert_degrees;
  Value::Numbers allowed_expert_tensor_degrees;
  double memory_limit_gib = 0;  ///< of a GPU; 0: what the accelerator has
  double memory_headroom_percent =
      8;                          ///< of that limit: layouts that leave less come after those that leave it
  std::int64_t best = 20;         ///< layouts to list
  double token_budget = 1e12;     ///< of the whole training run
  double price_per_gpu_hour = 0;  ///< in any currency; 0: none
  bool prune = true;              ///< whether to skip what cannot win; loses nothing
};

/// Most chunks of layers a stage that a search tries.
inline constexpr std::int64_t most_virtual_stages = 16;

/// Most sequences of a micro-batch that a search tries.
inline constexpr std::int64_t most_micro_batch = 4096;

/// Divisors of a number, ascending.
std::vector<std::int64_t> divisors(std::int64_t number);

/// How the layers of a model are spread: what layouts of one family share with those of other micro-batches.
struct Degrees {
  std::int64_t tensor = 1;
  std::int64_t context = 1;
  std::int64_t expert = 1;
  std::int64_t expert_tensor = 0;  ///< as Layout has it: 0 where the tensor ranks share each expert
  std::int64_t pipeline = 1;
  std::int64_t data = 1;
};

/// Spreads a layout by them.
void spread(Layout& layout, const Degrees& degrees);

/// Every way of multiplying up to cluster_gpus that can exist for the shape and the batch, and that the stack
/// can run with some schedule and ZeRO stage.
std::vector<Degrees> all_degrees(const PlanInputs& inputs);

/// A pipeline's order of work and its chunks a stage.
struct ScheduleChoice {
  PipelineSchedule schedule = PipelineSchedule::one_f_one_b;
  std::int64_t virtual_stages = 1;
};

/// How a schedule deals layers out to stages.
enum class Dealing { in_one_chunk, in_chunks, both_ways, folded };
inline constexpr std::size_t num_dealings = 4;
Dealing dealing_of(const ScheduleChoice& choice);

/// Whether a search may use a layout: its degrees, schedule, ZeRO stage and recomputation.
bool may_use(const PlanInputs& inputs, const Job& job);

/// Whether a search tries a layout at all: one that it may use, that is worth it, and that the job's stack
/// can run.
bool is_searched(const PlanInputs& inputs, const Job& job);

/// Whether a search tries tensor ranks that share tokens between matrices, or that do not: where experts lie
/// on other ranks they have to share them, as Megatron-Core demands.
bool tries_tokens(const Job& job);

/// Whether a search may use a schedule: as far as it is allowed, and zero_bubble_2p only if asked for.
bool may_use(const PlanInputs& inputs, PipelineSchedule schedule);

/// The schedules worth trying with the degrees of a job, of those that its stack runs: gpipe only where it
/// has no 1f1b, which takes the same time and never more memory; zero_bubble_2p only if asked for.
std::vector<ScheduleChoice> all_schedules(const PlanInputs& inputs, const Job& job);

/// Those of them that so many micro-batches can fill.
std::vector<ScheduleChoice> filled(const std::vector<ScheduleChoice>& schedules, std::int64_t stages,
                                   std::int64_t micro_batches);

/// ZeRO stages that may be tried and are worth it with the degrees of a job, of those that its stack has.
std::vector<std::int64_t> all_zero_stages(const PlanInputs& inputs, const Job& job);

/// What may be computed again and is worth it.
std::vector<Recompute> all_recomputations(const PlanInputs& inputs, const Job& job);

/// The job that a choice stands for, as training_step takes it.
Job job_of(const PlanInputs& inputs, const Degrees& degrees);

}  // namespace commcost
