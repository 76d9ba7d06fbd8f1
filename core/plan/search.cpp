#include "core/plan/search.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "core/base/units.h"
#include "core/parallel/job_problems.h"
#include "core/parallel/pipeline.h"
#include "core/plan/bounds.h"
#include "core/plan/space_problems.h"

namespace commcost {
namespace {

// One number for everything that layer costs depend on, of those with the same degrees in a layer.
std::uint64_t key_of(const Job& job, std::uint64_t degrees) {
  const Layout& layout = job.layout;
  std::uint64_t key = degrees << 20 | static_cast<std::uint64_t>(job.work.batch_size - 1);
  key = key << 1 |
        static_cast<std::uint64_t>(layout.pipeline_parallel > 1 && job.stack.staged_layer_host_us > 0);
  key = key << 1 | static_cast<std::uint64_t>(layout.sequence_parallel);
  return key << 2 | static_cast<std::uint64_t>(job.work.recompute);
}

double limit_bytes(const PlanInputs& inputs, const Machine& machine) {
  const double available = available_bytes(accelerator_of(machine));
  return inputs.memory_limit_gib > 0 ? std::min(available, inputs.memory_limit_gib * gib) : available;
}

// Completed once, not for every layout.
PlanInputs on_whole_machine(PlanInputs inputs) {
  inputs.job.machine = completed(inputs.job.machine);
  return inputs;
}

}  // namespace

Problems plan_problems(const PlanInputs& inputs) {
  Job alone = completed(job_of(inputs, {}));
  alone.work.global_batch_size = 0;
  alone.layout.cluster_gpus = 1;
  alone.layout.shard_group_size = 0;  // of replicas, which one GPU has not
  Problems problems = problems_of(alone);
  return problems.empty() ? space_problems(inputs) : problems;
}

LayoutSearch::LayoutSearch(const PlanInputs& inputs)
    : inputs_(on_whole_machine(inputs)),
      base_(completed(job_of(inputs_, {}))),
      model_(StepModel(base_).remembering()),
      limit_bytes_(limit_bytes(inputs, base_.machine)),
      ranking_(static_cast<std::size_t>(inputs.best), limit_bytes_,
               limit_bytes_ * (1 - inputs.memory_headroom_percent / 100)) {
  prepare();
}

LayoutSearch::Deal LayoutSearch::deal_of(const Job& job) const {
  const StageShare share = stage_share(job);
  Deal deal{distinct_stages(job, share), waiting_rules(model_.bound_to(job)), {}};
  Job with_zero = job;
  with_zero.layout.sequence_parallel = true;
  for (const std::int64_t stage : all_zero_stages(inputs_, job)) {
    with_zero.layout.zero_stage = stage;
    Update update{stage,
                  update_times(model_.bound_to(with_zero), share, deal.stages),
                  {},
                  stage_states(with_zero, share, deal.stages)};
    update.whole_tokens = update.shared_tokens;
    for (UpdateTime& time : update.whole_tokens) time.replicated_us = 0;
    deal.updates.push_back(update);
  }
  return deal;
}

LayoutSearch::Group LayoutSearch::group_of(const Degrees& degrees) const {
  Group group{degrees, completed(job_of(inputs_, degrees)), {}, 0, {}};
  const Job& job = group.job;
  group.schedules = all_schedules(inputs_, job);
  const auto deal = [&](Dealing dealing) -> Deal& { return group.deals[static_cast<std::size_t>(dealing)]; };
  deal(Dealing::in_one_chunk) = deal_of(job);
  Job even = job;
  even.layout.balanced_stages = false;
  const bool same = group.deal(Dealing::in_one_chunk).stages[0].layers() == stage_share(even).layers;
  deal(Dealing::in_chunks) = same ? group.deal(Dealing::in_one_chunk) : deal_of(even);
  // With the smallest micro-batch there is the widest choice.
  for (const ScheduleChoice& choice :
       filled(group.schedules, degrees.pipeline, inputs_.job.work.global_batch_size / degrees.data)) {
    const Dealing dealing = dealing_of(choice);
    if (dealing != Dealing::both_ways && dealing != Dealing::folded) continue;
    Job chosen = job;
    choose(chosen.layout, choice);
    deal(dealing) = deal_of(chosen);
  }
  return group;
}

void LayoutSearch::prepare() {
  const std::vector<Degrees> degrees = all_degrees(inputs_);
  groups_.reserve(degrees.size());
  for (const Degrees& one : degrees) groups_.push_back(group_of(one));
  std::map<std::array<std::int64_t, 4>, std::uint32_t> numbers;
  for (Group& group : groups_) {
    const Degrees& of = group.degrees;
    const auto next = static_cast<std::uint32_t>(numbers.size());
    group.layer_degrees =
        numbers.try_emplace({of.tensor, of.context, of.expert, of.expert_tensor}, next).first->second;
  }
  for (std::uint32_t at = 0; at < groups_.size(); ++at) add_families(at);
  known_costs_.clear();
  counts_.families = static_cast<double>(order_.size());
  std::stable_sort(order_.begin(), order_.end(), [](const Family& one, const Family& other) {
    return one.least.step_us != other.least.step_us ? one.least.step_us < other.least.step_us
                                                    : one.least.bytes < other.least.bytes;
  });
}

void LayoutSearch::add_families(std::uint32_t group) {
  Job job = groups_[group].job;
  for (const LayerChoice& choice : all_layer_choices(inputs_, job)) {
    choice.apply(job);
    add_family(group, job);
  }
}

LayoutSearch::Family LayoutSearch::family_of(std::uint32_t at, std::uint32_t costs_at,
                                             const std::vector<ScheduleChoice>& choices,
                                             double micro_batches) const {
  const Group& group = groups_[at];
  const LayerCosts& costs = costs_[costs_at];
  const auto stages = static_cast<double>(group.degrees.pipeline);
  const auto layers = static_cast<double>(inputs_.job.model.num_layers);
  const auto moe = static_cast<double>(expert_layers(inputs_.job.model));
  constexpr double unknown = std::numeric_limits<double>::infinity();
  Family family{at, costs_at, {unknown, unknown}, 0};
  const auto bound = [&](const Deal& deal, const auto& least_bytes) {
    family.least.step_us = std::min(
        family.least.step_us,
        least_time_us(costs.layers, costs.ends, {layers - moe, moe}, stages, deal.stages[0], micro_batches));
    for (const Update& update : deal.updates)
      family.least.bytes = std::min(family.least.bytes, least_bytes(update.states, deal.stages));
  };
  bool in_a_line = false;
  for (const ScheduleChoice& choice : choices) {
    const Dealing dealing = dealing_of(choice);
    const Deal& deal = group.deal(dealing);
    family.variants += static_cast<double>(deal.updates.size());
    if (dealing == Dealing::both_ways || dealing == Dealing::folded) {
      Layout layout;
      layout.pipeline_parallel = group.degrees.pipeline;
      layout.pipeline_schedule = choice.schedule;
      const InFlight in_flight = micro_batches_in_flight(layout, micro_batches);
      bound(deal, [&](const StageStates& states, const DistinctStages& dealt) {
        return step_bytes(costs.memory, states, dealt, in_flight);
      });
    } else if (!in_a_line) {
      in_a_line = true;
      bound(group.deal(Dealing::in_chunks), [&](const StageStates& states, const DistinctStages& dealt) {
        return least_memory(costs.memory, states[0], dealt[0], stages, micro_batches);
      });
    }
  }
  return family;
}

void LayoutSearch::add_family(std::uint32_t at, const Job& job) {
  const Group& group = groups_[at];
  const auto [place, fresh] = known_costs_.try_emplace(key_of(job, group.layer_degrees), costs_.size());
  if (fresh) {
    const StepModel model = model_.bound_to(job);
    costs_.push_back({{job.work.batch_size, job.work.recompute, job.layout.sequence_parallel},
                      layer_times(model),
                      end_times(model),
                      layer_memory(job)});
  }
  const std::int64_t count = micro_batches(job.work, job.layout);
  const Family family = family_of(at, place->second, filled(group.schedules, group.degrees.pipeline, count),
                                  static_cast<double>(count));
  if (family.variants == 0) return;
  counts_.layouts += family.variants;
  if (inputs_.prune && family.least.bytes > limit_bytes_) {
    counts_.out_of_memory += family.variants;
    out_of_memory_.push_back(family);
  } else {
    order_.push_back(family);
  }
}

PlannedLayout LayoutSearch::row(const Family& family, std::int64_t zero_stage,
                                const ScheduleChoice& choice) const {
  PlannedLayout row;
  row.job = job_of(inputs_, groups_[family.group].degrees);
  row.job.layout.zero_stage = zero_stage;
  costs_[family.costs].choice.apply(row.job);
  choose(row.job.layout, choice);
  return row;
}

void LayoutSearch::evaluate(const Family& family) {
  const Group& group = groups_[family.group];
  Job job = group.job;
  costs_[family.costs].choice.apply(job);
  const std::vector<ScheduleChoice> choices =
      filled(group.schedules, group.degrees.pipeline, micro_batches(job.work, job.layout));
  std::span<const ScheduleChoice> rest(choices.data(), choices.size());
  while (!rest.empty()) {
    const Dealing dealing = dealing_of(rest.front());
    const auto other = std::find_if(rest.begin(), rest.end(), [dealing](const ScheduleChoice& one) {
      return dealing_of(one) != dealing;
    });
    const auto alike = static_cast<std::size_t>(other - rest.begin());
    evaluate(family, job, group.deal(dealing), rest.first(alike));
    rest = rest.subspan(alike);
  }
}

void LayoutSearch::evaluate(const Family& family, Job& job, const Deal& deal,
                            std::span<const ScheduleChoice> choices) {
  const LayerCosts& costs = costs_[family.costs];
  choose(job.layout, choices.front());
  const PassTimes passes = pass_times(costs.layers, costs.ends, deal.stages);
  const BoundaryTime boundary = boundary_time(model_.bound_to(job));
  for (const ScheduleChoice& choice : choices) {
    choose(job.layout, choice);
    const PipelinePlan plan = pipeline_plan(job, deal.waiting);
    const PipelineTimes pipeline = pipeline_times(passes, boundary, plan);
    const InFlight in_flight = micro_batches_in_flight(job.layout, plan.micro_batches);
    for (const Update& update : deal.updates) {
      const UpdateTimes& updates = job.layout.sequence_parallel ? update.shared_tokens : update.whole_tokens;
      const SlowestStage slowest = slowest_stage(passes, updates, pipeline, plan);
      const double bytes = step_bytes(costs.memory, update.states, deal.stages, in_flight);
      const bool fits = ranking_.consider({slowest.step_us, bytes}, [&] {
        const std::size_t at = slowest.at;
        PlannedLayout found = row(family, update.zero_stage, choice);
        found.parts = step_parts(passes.of[at], updates[at], pipeline[at], plan);
        return found;
      });
      ++counts_.evaluated;
      ++(fits ? counts_.compared : counts_.out_of_memory);
    }
  }
}

void LayoutSearch::finish() {
  constexpr std::int64_t slice = 1 << 20;
  do {
    advance(slice);
  } while (!done());
}

double LayoutSearch::deficit_gib() const {
  if (!done() || !best().empty()) return 0;
  return std::max(0.0, smallest().memory_gib - limit_gib());
}

double LayoutSearch::progress() const {
  return done() ? 1 : counts_.families_done / counts_.families;
}

void LayoutSearch::advance(std::int64_t evaluations) {
  const double until = counts_.evaluated + static_cast<double>(evaluations);
  while (next_ < order_.size() && counts_.evaluated < until) {
    const Family& family = order_[next_++];
    ++counts_.families_done;
    if (inputs_.prune && ranking_.cannot_matter(family.least)) {
      counts_.dominated += family.variants;
    } else {
      evaluate(family);
    }
  }
  if (next_ < order_.size() || !best().empty() || out_of_memory_.empty()) return;
  // Nothing fits: how little is possible? Families by their bound, until none can need less.
  std::stable_sort(out_of_memory_.begin(), out_of_memory_.end(), [](const Family& one, const Family& other) {
    return one.least.bytes < other.least.bytes;
  });
  for (const Family& family : out_of_memory_) {
    if (ranking_.smallest_bytes() > 0 && family.least.bytes >= ranking_.smallest_bytes()) break;
    counts_.out_of_memory -= family.variants;
    evaluate(family);
  }
  out_of_memory_.clear();
}

}  // namespace commcost
