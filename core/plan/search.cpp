#include "core/plan/search.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "core/base/units.h"
#include "core/base/value.h"
#include "core/parallel/layout_problems.h"
#include "core/parallel/pipeline.h"
#include "core/plan/bounds.h"

namespace commcost {
namespace {

// One number for everything that layer costs depend on, of those with the same degrees in a layer.
std::uint64_t key_of(const Setting& setting, std::uint64_t degrees) {
  const Layout& layout = setting.layout;
  std::uint64_t key = degrees << 12 | static_cast<std::uint64_t>(setting.work.batch_size - 1);
  key = key << 1 |
        static_cast<std::uint64_t>(layout.pipeline_parallel > 1 && setting.pace.staged_layer_host_us > 0);
  key = key << 1 | static_cast<std::uint64_t>(layout.sequence_parallel);
  return key << 2 | static_cast<std::uint64_t>(setting.work.recompute);
}

void choose(Setting& setting, const ScheduleChoice& choice) {
  setting.layout.pipeline_schedule = choice.schedule;
  setting.layout.virtual_stages = choice.virtual_stages;
}

double limit_bytes(const PlanInputs& inputs, const Machine& machine) {
  const double available = available_bytes(accelerator_of(machine));
  return inputs.memory_limit_gib > 0 ? std::min(available, inputs.memory_limit_gib * gib) : available;
}

}  // namespace

void LayoutSearch::LayerChoice::apply(Setting& setting) const {
  setting.work.batch_size = micro_batch;
  setting.work.recompute = recompute;
  setting.layout.sequence_parallel = sequence_parallel;
}

Problems plan_problems(const PlanInputs& inputs) {
  const TrainingStepInputs one = step_inputs(inputs, {});
  Setting alone = completed(one).setting;
  alone.work.global_batch_size = 0;
  alone.layout.cluster_gpus = 1;
  alone.layout.shard_group_size = 0;  // of replicas, which one GPU has not
  Problems problems = problems_of(alone, inputs.machine);
  if (problems.empty() && all_degrees(inputs).empty()) {
    problems.push_back(
        {"cluster_gpus", ProblemCode::inconsistent,
         "cluster_gpus (" + text_of(static_cast<double>(inputs.cluster_gpus)) +
             ") cannot be divided over heads, layers, sequence and global_batch_size (" +
             text_of(static_cast<double>(inputs.global_batch_size)) + ") without rest",
         "a cluster_gpus that shares factors with num_heads, global_batch_size and sequence_length"});
  }
  return problems;
}

LayoutSearch::LayoutSearch(const PlanInputs& inputs)
    : inputs_(inputs),
      base_(completed(step_inputs(inputs, {}))),
      model_(base_.machine, base_.setting),
      limit_bytes_(limit_bytes(inputs, base_.machine)),
      ranking_(static_cast<std::size_t>(inputs.best), limit_bytes_,
               limit_bytes_ * (1 - inputs.memory_headroom_percent / 100)) {
  prepare();
}

LayoutSearch::Deal LayoutSearch::deal_of(const Setting& setting) const {
  const StageShare share = stage_share(setting);
  Deal deal{distinct_stages(setting, share), waiting_rules(setting, model_), {}};
  Setting with_zero = setting;
  with_zero.layout.sequence_parallel = true;
  for (const std::int64_t stage : all_zero_stages(inputs_, data_ranks(setting.layout).size)) {
    with_zero.layout.zero_stage = stage;
    Update update{stage,
                  update_times(with_zero, share, deal.stages, model_),
                  {},
                  stage_states(with_zero, share, deal.stages)};
    update.whole_tokens = update.shared_tokens;
    for (UpdateTime& time : update.whole_tokens) time.replicated_us = 0;
    deal.updates.push_back(update);
  }
  return deal;
}

LayoutSearch::Group LayoutSearch::group_of(const Degrees& degrees) const {
  Group group{degrees, completed(step_inputs(inputs_, degrees)).setting, 0, {}};
  const Setting& setting = group.setting;
  const auto deal = [&](Dealing dealing) -> Deal& { return group.deals[static_cast<std::size_t>(dealing)]; };
  deal(Dealing::in_one_chunk) = deal_of(setting);
  Setting even = setting;
  even.layout.balanced_stages = false;
  const bool same = group.deal(Dealing::in_one_chunk).stages[0].layers() == stage_share(even).layers;
  deal(Dealing::in_chunks) = same ? group.deal(Dealing::in_one_chunk) : deal_of(even);
  // With the smallest micro-batch there is the widest choice.
  for (const ScheduleChoice& choice :
       all_schedules(inputs_, degrees.pipeline, inputs_.global_batch_size / degrees.data)) {
    const Dealing dealing = dealing_of(choice);
    if (dealing != Dealing::both_ways && dealing != Dealing::folded) continue;
    Setting chosen = setting;
    choose(chosen, choice);
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
  const Degrees& degrees = groups_[group].degrees;
  Setting setting = groups_[group].setting;
  for (const std::int64_t micro_batch : divisors(inputs_.global_batch_size / degrees.data)) {
    if (micro_batch > most_micro_batch) break;
    setting.work.batch_size = micro_batch;
    for (const bool sequence : {false, true}) {
      setting.layout.sequence_parallel = sequence;
      if (!tries_tokens(setting)) continue;
      for (const Recompute recompute : all_recomputations(inputs_, setting)) {
        setting.work.recompute = recompute;
        add_family(group, setting);
      }
    }
  }
}

LayoutSearch::Family LayoutSearch::family_of(std::uint32_t at, std::uint32_t costs_at,
                                             const std::vector<ScheduleChoice>& choices,
                                             double micro_batches) const {
  const Group& group = groups_[at];
  const LayerCosts& costs = costs_[costs_at];
  const auto stages = static_cast<double>(group.degrees.pipeline);
  const auto layers = static_cast<double>(inputs_.shape.num_layers);
  const auto moe = static_cast<double>(expert_layers(inputs_.shape));
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

void LayoutSearch::add_family(std::uint32_t at, const Setting& setting) {
  const Group& group = groups_[at];
  const auto [place, fresh] = known_costs_.try_emplace(key_of(setting, group.layer_degrees), costs_.size());
  if (fresh) {
    costs_.push_back({{setting.work.batch_size, setting.work.recompute, setting.layout.sequence_parallel},
                      layer_times(setting, model_),
                      end_times(setting, model_),
                      layer_memory(setting)});
  }
  const std::int64_t count = micro_batches(setting.work, setting.layout);
  const Family family = family_of(at, place->second, all_schedules(inputs_, group.degrees.pipeline, count),
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
  row.inputs = step_inputs(inputs_, groups_[family.group].degrees);
  row.inputs.layout.zero_stage = zero_stage;
  costs_[family.costs].choice.apply(row.inputs);
  choose(row.inputs, choice);
  return row;
}

void LayoutSearch::evaluate(const Family& family) {
  const Group& group = groups_[family.group];
  Setting setting = group.setting;
  costs_[family.costs].choice.apply(setting);
  const std::vector<ScheduleChoice> choices =
      all_schedules(inputs_, group.degrees.pipeline, micro_batches(setting.work, setting.layout));
  std::span<const ScheduleChoice> rest(choices.data(), choices.size());
  while (!rest.empty()) {
    const Dealing dealing = dealing_of(rest.front());
    const auto other = std::find_if(rest.begin(), rest.end(), [dealing](const ScheduleChoice& one) {
      return dealing_of(one) != dealing;
    });
    const auto alike = static_cast<std::size_t>(other - rest.begin());
    evaluate(family, setting, group.deal(dealing), rest.first(alike));
    rest = rest.subspan(alike);
  }
}

void LayoutSearch::evaluate(const Family& family, Setting& setting, const Deal& deal,
                            std::span<const ScheduleChoice> choices) {
  const LayerCosts& costs = costs_[family.costs];
  choose(setting, choices.front());
  const PassTimes passes = pass_times(costs.layers, costs.ends, deal.stages);
  const BoundaryTime boundary = boundary_time(setting, model_);
  for (const ScheduleChoice& choice : choices) {
    choose(setting, choice);
    const PipelinePlan plan = pipeline_plan(setting, deal.waiting);
    const PipelineTimes pipeline = pipeline_times(passes, boundary, plan);
    const InFlight in_flight = micro_batches_in_flight(setting.layout, plan.micro_batches);
    for (const Update& update : deal.updates) {
      const UpdateTimes& updates =
          setting.layout.sequence_parallel ? update.shared_tokens : update.whole_tokens;
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
