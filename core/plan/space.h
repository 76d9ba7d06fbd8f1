#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/plan/allowed.h"
#include "core/training/training_step.h"

namespace commcost {

/// What is to be trained, and on what: the search finds how. It decides the fields of the job in
/// AllowedLayouts and takes everything else as it is; all GPUs of the cluster are used.
struct PlanInputs {
  Job job;
  AllowedLayouts allowed;
  std::uint32_t searched_settings = 0;  ///< which of setting_names it decides too: bits in their order
  bool zero_bubble_2p = false;          ///< whether to try the schedule that holds twice the activations
  double memory_limit_gib = 0;          ///< of a GPU; 0: what the accelerator has
  double memory_headroom_percent =
      8;                  ///< share of that limit: layouts that leave less come after those that leave it
  std::int64_t best = 8;  ///< families of layouts to list
  double token_budget = 1e12;     ///< of the whole training run
  double price_per_gpu_hour = 0;  ///< in any currency; 0: none
  bool prune = true;              ///< whether to skip what can't win; loses nothing
  bool pareto_front = true;       ///< whether to find layouts that take less memory for more time too

  bool operator==(const PlanInputs&) const = default;
  /// The same, but for the best layout alone.
  PlanInputs for_best() const {
    PlanInputs inputs = *this;
    inputs.best = 1;
    inputs.pareto_front = false;
    return inputs;
  }
  /// The part of a limit that a layout may take if it leaves the headroom.
  double roomy(double limit) const { return limit * (1 - memory_headroom_percent / 100); }
};

/// Most chunks of layers a stage that a search tries unless they are pinned.
inline constexpr std::int64_t most_virtual_stages = 16;

/// Most sequences of a micro-batch that a search tries unless they are pinned.
inline constexpr std::int64_t most_micro_batch = 4096;

/// Divisors of a number, ascending.
std::vector<std::int64_t> divisors(std::int64_t number);

/// A division of the GPUs: what layouts of one family share.
struct Degrees {
  std::int64_t tensor = 1;
  std::int64_t context = 1;
  std::int64_t expert = 1;
  std::int64_t expert_tensor = 0;  ///< as in Layout: 0 if the tensor ranks share each expert
  std::int64_t pipeline = 1;
  std::int64_t data = 1;

  auto operator<=>(const Degrees&) const = default;
};

/// Spreads a layout by them.
void spread(Layout& layout, const Degrees& degrees);

/// Calls `stop` with every allowed way of multiplying up to cluster_gpus, whether it can exist or not, until
/// `stop` returns true.
void for_all_products(const PlanInputs& inputs, const std::function<bool(const Degrees&)>& stop);

/// Every allowed way of multiplying up to cluster_gpus that can exist for the shape and the batch, and that
/// the stack can run with some schedule and ZeRO stage.
std::vector<Degrees> all_degrees(const PlanInputs& inputs);

/// A pipeline's order of work and its chunks a stage.
struct ScheduleChoice {
  PipelineSchedule schedule = PipelineSchedule::one_f_one_b;
  std::int64_t virtual_stages = 1;
};

/// Has a layout's stages work so.
void choose(Layout& layout, const ScheduleChoice& choice);

/// The pipeline settings of a layout with one stage, which have no effect: what is pinned.
ScheduleChoice of_one_stage(const AllowedLayouts& allowed);

/// How a schedule deals layers out to stages.
enum class Dealing { in_one_chunk, in_chunks, both_ways, folded };
inline constexpr std::size_t num_dealings = 4;
Dealing dealing_of(const ScheduleChoice& choice);

/// Whether a layout respects all pins and lists of a search.
bool may_use(const PlanInputs& inputs, const Job& job);

/// Whether a search tries a layout at all: one that it may use, that is worthwhile, and that the job's stack
/// can run.
bool is_searched(const PlanInputs& inputs, const Job& job);

/// A layout's choices for a layer's work beyond its degrees.
struct LayerChoice {
  std::int64_t micro_batch = 1;
  Recompute recompute = Recompute::none;
  bool sequence_parallel = false;
  void apply(Job& job) const;
};

/// The allowed ones that can exist with the degrees of a job, that its stack runs and that are worth trying.
/// Tensor ranks share tokens wherever experts are on other ranks, as Megatron-Core demands, unless both are
/// pinned otherwise.
std::vector<LayerChoice> all_layer_choices(const PlanInputs& inputs, const Job& job);

/// Whether a search may use a schedule: if allowed, and zero_bubble_2p only if asked for.
bool may_use(const PlanInputs& inputs, PipelineSchedule schedule);

/// The schedules worth trying with the degrees of a job, among those that its stack runs: gpipe only if it
/// has no 1f1b, which takes the same time and never more memory; zero_bubble_2p only if asked for. One stage
/// has one, the pinned one if any, without effect.
std::vector<ScheduleChoice> all_schedules(const PlanInputs& inputs, const Job& job);

/// The same if the degrees can exist with the job's smallest micro-batch, and the stack can run them with an
/// allowed ZeRO stage; otherwise none.
std::vector<ScheduleChoice> possible_schedules(const PlanInputs& inputs, const Job& job);

/// Replaces `found` by those of them that so many micro-batches can fill.
void fill_into(std::vector<ScheduleChoice>& found, const std::vector<ScheduleChoice>& schedules,
               std::int64_t stages, std::int64_t micro_batches);
/// The same, returned.
std::vector<ScheduleChoice> filled(const std::vector<ScheduleChoice>& schedules, std::int64_t stages,
                                   std::int64_t micro_batches);

/// ZeRO stages that may be tried and are worthwhile with the degrees of a job, among those that its stack
/// has. One replica has one, the pinned one if any, without effect.
std::vector<std::int64_t> all_zero_stages(const PlanInputs& inputs, const Job& job);

/// The job of a choice, as training_step takes it, with the pinned micro-batch or one sequence.
Job job_of(const PlanInputs& inputs, const Degrees& degrees);

}  // namespace commcost
