#include "core/plan/search.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/base/units.h"
#include "core/base/value.h"
#include "core/parallel/layout_problems.h"
#include "core/parallel/pipeline.h"
#include "core/plan/bounds.h"

namespace commcost {
namespace {

constexpr std::size_t most_sample_values = 8192;

// One number for everything that layer costs depend on.
std::uint64_t key_of(const Setting& setting) {
  const Layout& layout = setting.layout;
  std::uint64_t key = static_cast<std::uint64_t>(layout.tensor_parallel);
  key = key << 18 | static_cast<std::uint64_t>(layout.context_parallel);
  key = key << 13 | static_cast<std::uint64_t>(layout.expert_parallel);
  key = key << 12 | static_cast<std::uint64_t>(setting.work.batch_size - 1);
  key = key << 1 |
        static_cast<std::uint64_t>(layout.pipeline_parallel > 1 && setting.pace.staged_layer_host_us > 0);
  key = key << 1 | static_cast<std::uint64_t>(layout.sequence_parallel);
  return key << 2 | static_cast<std::uint64_t>(setting.work.recompute);
}

Setting with_degrees(Setting setting, const Degrees& degrees) {
  setting.layout.tensor_parallel = degrees.tensor;
  setting.layout.context_parallel = degrees.context;
  setting.layout.expert_parallel = degrees.expert;
  setting.layout.pipeline_parallel = degrees.pipeline;
  setting.layout.data_parallel = degrees.data;
  return setting;
}

Setting with_schedule(Setting setting, const ScheduleChoice& choice) {
  setting.layout.pipeline_schedule = choice.schedule;
  setting.layout.virtual_stages = choice.virtual_stages;
  return setting;
}

// Which of two layouts comes first: the one that leaves headroom, then the quicker, of equals the smaller,
// then the plainer. An order without ties, so that the result does not depend on the order of the search.
bool comes_before(const PlannedLayout& one, const PlannedLayout& other) {
  if (one.is_tight != other.is_tight) return other.is_tight;
  if (one.step_time_ms != other.step_time_ms) return one.step_time_ms < other.step_time_ms;
  if (one.memory_gib != other.memory_gib) return one.memory_gib < other.memory_gib;
  const auto rank = [](const PlannedLayout& row) {
    const Layout& layout = row.inputs.layout;
    const Work& work = row.inputs.work;
    return std::array<std::int64_t, 10>{layout.tensor_parallel,
                                        layout.pipeline_parallel,
                                        layout.context_parallel,
                                        layout.expert_parallel,
                                        layout.zero_stage,
                                        static_cast<std::int64_t>(layout.pipeline_schedule),
                                        layout.virtual_stages,
                                        work.batch_size,
                                        static_cast<std::int64_t>(work.recompute),
                                        layout.sequence_parallel};
  };
  return rank(one) < rank(other);
}

}  // namespace

Problems plan_problems(const PlanInputs& inputs) {
  const TrainingStepInputs one = step_inputs(inputs, {});
  Setting alone = completed(one).setting;
  alone.work.global_batch_size = 0;
  alone.layout.num_gpus = 1;
  alone.layout.shard_group_size = 0;  // of replicas, which one GPU has not
  Problems problems = problems_of(alone);
  if (problems.empty() && all_degrees(inputs).empty()) {
    problems.push_back(
        {"num_gpus", ProblemCode::inconsistent,
         "num_gpus (" + text_of(static_cast<double>(inputs.num_gpus)) +
             ") cannot be divided over heads, layers, sequence and global_batch_size (" +
             text_of(static_cast<double>(inputs.global_batch_size)) + ") without rest",
         "a num_gpus that shares factors with num_heads, global_batch_size and sequence_length"});
  }
  return problems;
}

LayoutSearch::LayoutSearch(const PlanInputs& inputs)
    : inputs_(inputs), base_(completed(step_inputs(inputs, {}))), model_(base_.machine, base_.setting) {
  limit_bytes_ = available_bytes(accelerator_of(base_.machine));
  if (inputs.memory_limit_gib > 0) limit_bytes_ = std::min(limit_bytes_, inputs.memory_limit_gib * gib);
  limit_gib_ = limit_bytes_ / gib;
  roomy_bytes_ = limit_bytes_ * (1 - inputs.memory_headroom_percent / 100);
  prepare();
}

LayoutSearch::Deal LayoutSearch::deal_of(const Setting& setting) const {
  const StageShare share = stage_share(setting);
  const HeldParameters held = held_parameters(setting, share);
  Deal deal{distinct_stages(setting, share), share.dealt, {}};
  Setting with_zero = setting;
  with_zero.layout.sequence_parallel = true;
  for (const std::int64_t stage : all_zero_stages(inputs_, data_ranks(setting.layout).size)) {
    with_zero.layout.zero_stage = stage;
    Update update{
        stage, update_times(with_zero, share, deal.stages, model_), {}, stage_state(with_zero, share, held)};
    update.whole_tokens = update.shared_tokens;
    for (UpdateTime& time : update.whole_tokens) time.replicated_us = 0;
    deal.updates.push_back(update);
  }
  return deal;
}

LayoutSearch::Group LayoutSearch::group_of(const Degrees& degrees) const {
  const Setting setting = completed(step_inputs(inputs_, degrees)).setting;
  Group group{degrees, {}};
  const auto deal = [&](Dealing dealing) -> Deal& { return group.deals[static_cast<std::size_t>(dealing)]; };
  deal(Dealing::in_one_chunk) = deal_of(setting);
  Setting even = setting;
  even.layout.balanced_stages = false;
  const bool same = group.deal(Dealing::in_one_chunk).layers.first == stage_share(even).layers;
  deal(Dealing::in_chunks) = same ? group.deal(Dealing::in_one_chunk) : deal_of(even);
  // With the smallest micro-batch there is the widest choice.
  for (const ScheduleChoice& choice :
       all_schedules(inputs_, degrees.pipeline, inputs_.global_batch_size / degrees.data)) {
    const Dealing dealing = dealing_of(choice);
    if (dealing == Dealing::both_ways || dealing == Dealing::folded)
      deal(dealing) = deal_of(with_schedule(setting, choice));
  }
  return group;
}

void LayoutSearch::prepare() {
  for (const Degrees& degrees : all_degrees(inputs_)) groups_.push_back(group_of(degrees));
  for (std::uint32_t at = 0; at < groups_.size(); ++at) add_families(at);
  known_costs_.clear();
  counts_.families = static_cast<double>(order_.size());
  std::stable_sort(order_.begin(), order_.end(), [](const Family& one, const Family& other) {
    return one.least_us != other.least_us ? one.least_us < other.least_us
                                          : one.least_bytes < other.least_bytes;
  });
}

void LayoutSearch::add_families(std::uint32_t group) {
  const Degrees& degrees = groups_[group].degrees;
  Setting setting = completed(step_inputs(inputs_, degrees)).setting;
  for (const std::int64_t micro_batch : divisors(inputs_.global_batch_size / degrees.data)) {
    if (micro_batch > most_micro_batch) break;
    setting.work.batch_size = micro_batch;
    for (const bool sequence : {false, true}) {
      setting.layout.sequence_parallel = sequence;
      if (sequence &&
          (degrees.tensor == 1 || inputs_.sequence_length % (degrees.tensor * degrees.context) != 0)) {
        continue;
      }
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
  Family family{at, costs_at, unknown, unknown, 0};
  const auto bound = [&](const Deal& deal, const auto& least_bytes) {
    family.least_us = std::min(family.least_us, least_time_us(costs.layers, costs.ends, {layers - moe, moe},
                                                              stages, deal.stages[0], micro_batches));
    for (const Update& update : deal.updates)
      family.least_bytes = std::min(family.least_bytes, least_bytes(update.state, deal.layers));
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
      const PipelineHolds holds = pipeline_holds(layout, micro_batches);
      bound(deal, [&](const StageState& state, const StageLayers& dealt) {
        return step_memory(costs.memory, state, dealt, holds).total();
      });
    } else if (!in_a_line) {
      in_a_line = true;
      bound(group.deal(Dealing::in_chunks), [&](const StageState& state, const StageLayers& dealt) {
        return least_memory(costs.memory, state, dealt, stages, micro_batches);
      });
    }
  }
  return family;
}

void LayoutSearch::add_family(std::uint32_t at, const Setting& setting) {
  const Group& group = groups_[at];
  const auto [place, fresh] = known_costs_.try_emplace(key_of(setting), costs_.size());
  if (fresh) {
    costs_.push_back(
        {setting, layer_times(setting, model_), end_times(setting, model_), layer_memory(setting)});
  }
  const std::int64_t count = micro_batches(setting.work, setting.layout);
  const Family family = family_of(at, place->second, all_schedules(inputs_, group.degrees.pipeline, count),
                                  static_cast<double>(count));
  if (family.variants == 0) return;
  counts_.layouts += family.variants;
  if (inputs_.prune && family.least_bytes > limit_bytes_) {
    counts_.out_of_memory += family.variants;
    out_of_memory_.push_back(family);
  } else {
    order_.push_back(family);
  }
}

bool LayoutSearch::cannot_be_among_best(const Family& family) const {
  if (best_.size() < static_cast<std::size_t>(inputs_.best)) return false;
  const PlannedLayout& worst = best_.back();
  const bool is_tight = family.least_bytes > roomy_bytes_;
  if (is_tight != worst.is_tight) return is_tight;
  return family.least_us * 1e-3 > worst.step_time_ms;
}

bool LayoutSearch::cannot_matter(const Family& family) const {
  if (!cannot_be_among_best(family)) return false;
  const double least_ms = family.least_us * 1e-3;
  const double least_gib = family.least_bytes / gib;
  // A layout of the Pareto front that is as quick as the family's bound and no larger than its other bound
  // outdoes it.
  for (const PlannedLayout& row : pareto_front_) {
    if (row.step_time_ms > least_ms) break;
    if (row.memory_gib <= least_gib) return true;
  }
  return false;
}

PlannedLayout LayoutSearch::row(const Family& family, std::int64_t zero_stage,
                                const ScheduleChoice& choice) const {
  const LayerCosts& costs = costs_[family.costs];
  PlannedLayout row;
  row.inputs = step_inputs(inputs_, groups_[family.group].degrees);
  row.inputs.work.batch_size = costs.setting.work.batch_size;
  row.inputs.work.recompute = costs.setting.work.recompute;
  row.inputs.layout.sequence_parallel = costs.setting.layout.sequence_parallel;
  row.inputs.layout.zero_stage = zero_stage;
  row.inputs.layout.pipeline_schedule = choice.schedule;
  row.inputs.layout.virtual_stages = choice.virtual_stages;
  return row;
}

void LayoutSearch::consider(const Family& family, std::int64_t zero_stage, const ScheduleChoice& choice,
                            const StepParts& parts, double bytes) {
  ++counts_.evaluated;
  if (smallest_bytes_ == 0 || bytes < smallest_bytes_) {
    smallest_bytes_ = bytes;
    smallest_ = row(family, zero_stage, choice);
    smallest_.memory_gib = bytes / gib;
    smallest_.parts = parts;
    smallest_.step_time_ms = parts.total_us() * 1e-3;
  }
  if (bytes > limit_bytes_) {
    ++counts_.out_of_memory;
    return;
  }
  ++counts_.compared;
  const double time_ms = parts.total_us() * 1e-3;
  const double memory_gib = bytes / gib;
  const bool is_tight = bytes > roomy_bytes_;
  if (++sample_skipped_ >= sample_stride_) {
    sample_skipped_ = 0;
    if (sample_.size() >= most_sample_values) {
      for (std::size_t i = 0; i < sample_.size() / 4; ++i) {
        sample_[2 * i] = sample_[4 * i];
        sample_[2 * i + 1] = sample_[4 * i + 1];
      }
      sample_.resize(sample_.size() / 2);
      sample_stride_ *= 2;
    }
    sample_.push_back(time_ms);
    sample_.push_back(memory_gib);
  }

  const auto wanted = static_cast<std::size_t>(inputs_.best);
  const bool among_best =
      best_.size() < wanted ||
      (is_tight == best_.back().is_tight ? time_ms <= best_.back().step_time_ms : best_.back().is_tight);
  const auto behind =
      std::upper_bound(pareto_front_.begin(), pareto_front_.end(), time_ms,
                       [](double time, const PlannedLayout& other) { return time < other.step_time_ms; });
  const bool on_pareto_front = behind == pareto_front_.begin() || (behind - 1)->memory_gib > memory_gib;
  if (!among_best && !on_pareto_front) return;
  PlannedLayout found = row(family, zero_stage, choice);
  found.parts = parts;
  found.step_time_ms = time_ms;
  found.memory_gib = memory_gib;
  found.is_tight = is_tight;
  if (on_pareto_front) {
    // Whoever is as slow and as large is off; so is an equally quick and larger one before.
    auto from = behind;
    while (from != pareto_front_.begin() && (from - 1)->step_time_ms == time_ms) --from;
    auto to = from;
    while (to != pareto_front_.end() && to->memory_gib >= memory_gib) ++to;
    from = pareto_front_.erase(from, to);
    pareto_front_.insert(from, found);
  } else if (behind != pareto_front_.begin() && (behind - 1)->step_time_ms == time_ms &&
             (behind - 1)->memory_gib == memory_gib && comes_before(found, *(behind - 1))) {
    *(behind - 1) = found;
  }
  if (among_best) {
    best_.insert(std::upper_bound(best_.begin(), best_.end(), found, comes_before), found);
    if (best_.size() > wanted) best_.pop_back();
  }
}

void LayoutSearch::evaluate(const Family& family) {
  const LayerCosts& costs = costs_[family.costs];
  const Group& group = groups_[family.group];
  const Setting setting = with_degrees(costs.setting, group.degrees);
  const std::vector<ScheduleChoice> choices =
      all_schedules(inputs_, group.degrees.pipeline, micro_batches(setting.work, setting.layout));
  // Passes and boundaries are the same for all schedules in one chunk, and for all in several.
  std::array<bool, num_dealings> timed{};
  std::array<PassTimes, num_dealings> passes;
  std::array<BoundaryTime, num_dealings> boundaries;
  for (const ScheduleChoice& choice : choices) {
    const auto at = static_cast<std::size_t>(dealing_of(choice));
    const Setting chosen = with_schedule(setting, choice);
    if (!timed[at]) {
      passes[at] = pass_times(costs.layers, costs.ends, group.deals[at].stages);
      boundaries[at] = boundary_time(chosen, model_);
      timed[at] = true;
    }
    evaluate(family, chosen, choice, passes[at], boundaries[at]);
  }
}

void LayoutSearch::evaluate(const Family& family, const Setting& setting, const ScheduleChoice& choice,
                            const PassTimes& passes, const BoundaryTime& boundary) {
  const LayerCosts& costs = costs_[family.costs];
  const Deal& deal = groups_[family.group].deal(dealing_of(choice));
  const PipelinePlan plan = pipeline_plan(setting, model_);
  const PipelineTimes pipeline = pipeline_times(passes, boundary, plan);
  const PipelineHolds holds = pipeline_holds(setting.layout, plan.micro_batches);
  for (const Update& update : deal.updates) {
    const UpdateTimes& updates =
        setting.layout.sequence_parallel ? update.shared_tokens : update.whole_tokens;
    const StepParts parts = step_result(passes, updates, pipeline, plan).parts;
    const double bytes = step_memory(costs.memory, update.state, deal.layers, holds).total();
    consider(family, update.zero_stage, choice, parts, bytes);
  }
}

double LayoutSearch::deficit_gib() const {
  if (!done() || !best_.empty()) return 0;
  return std::max(0.0, smallest_.memory_gib - limit_gib_);
}

double LayoutSearch::progress() const {
  return done() ? 1 : counts_.families_done / counts_.families;
}

void LayoutSearch::advance(std::int64_t evaluations) {
  const double until = counts_.evaluated + static_cast<double>(evaluations);
  while (next_ < order_.size() && counts_.evaluated < until) {
    const Family& family = order_[next_++];
    ++counts_.families_done;
    if (inputs_.prune && cannot_matter(family)) {
      counts_.dominated += family.variants;
    } else {
      evaluate(family);
    }
  }
  if (next_ < order_.size() || !best_.empty() || out_of_memory_.empty()) return;
  // Nothing fits: how little is possible? Families by their bound, until none can need less.
  std::stable_sort(out_of_memory_.begin(), out_of_memory_.end(), [](const Family& one, const Family& other) {
    return one.least_bytes < other.least_bytes;
  });
  for (const Family& family : out_of_memory_) {
    if (smallest_bytes_ > 0 && family.least_bytes >= smallest_bytes_) break;
    counts_.out_of_memory -= family.variants;
    evaluate(family);
  }
  out_of_memory_.clear();
}

}  // namespace commcost
