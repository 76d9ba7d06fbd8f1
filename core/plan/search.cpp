#include "core/plan/search.h"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/base/units.h"
#include "core/base/value.h"
#include "core/parallel/layout_problems.h"
#include "core/parallel/pipeline.h"
#include "core/plan/bounds.h"
#include "core/step/constants.h"

namespace commcost {
namespace {

constexpr std::size_t most_sample_values = 8192;
constexpr std::int64_t most_micro_batch = 4096;

// One number for everything that layer costs depend on.
std::uint64_t key_of(const Degrees& degrees, std::int64_t micro_batch, bool sequence, Recompute recompute) {
  std::uint64_t key = static_cast<std::uint64_t>(degrees.tensor);
  key = key << 18 | static_cast<std::uint64_t>(degrees.context);
  key = key << 13 | static_cast<std::uint64_t>(degrees.expert);
  key = key << 13 | static_cast<std::uint64_t>(micro_batch);
  key = key << 1 | static_cast<std::uint64_t>(sequence);
  return key << 2 | static_cast<std::uint64_t>(recompute);
}

Setting with_degrees(Setting setting, const Degrees& degrees) {
  setting.layout.tensor_parallel = degrees.tensor;
  setting.layout.context_parallel = degrees.context;
  setting.layout.expert_parallel = degrees.expert;
  setting.layout.pipeline_parallel = degrees.pipeline;
  setting.layout.data_parallel = degrees.data;
  return setting;
}

// Which of two layouts comes first: the quicker, of equals the smaller, then the plainer. An order without
// ties, so that the result does not depend on the order of the search.
bool comes_before(const PlannedLayout& one, const PlannedLayout& other) {
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
    : inputs_(inputs),
      base_(completed(step_inputs(inputs, {}))),
      rates_(compute_rates(base_.machine, inputs.bytes_per_element, {})),
      pricing_(base_.machine, {}) {
  limit_bytes_ = available_bytes(accelerator_of(base_.machine));
  if (inputs.memory_limit_gib > 0) limit_bytes_ = std::min(limit_bytes_, inputs.memory_limit_gib * gib);
  limit_gib_ = limit_bytes_ / gib;
  prepare();
}

LayoutSearch::Update LayoutSearch::update_of(const Setting& setting, const StageShare& share) const {
  const HeldParameters held = held_parameters(setting, share);
  return {update_time(setting, held, base_.machine, rates_, pricing_), stage_state(setting, share, held), {}};
}

void LayoutSearch::prepare() {
  for (const Degrees& degrees : all_degrees(inputs_)) {
    Setting setting = completed(step_inputs(inputs_, degrees)).setting;
    Group group;
    group.degrees = degrees;
    group.replica_nodes = replica_nodes(setting.layout, base_.machine);
    group.zero_stages = all_zero_stages(degrees.data * degrees.context);
    group.first_update = updates_.size();
    const StageShare share = stage_share(setting);
    group.in_one_chunk = stage_layers(setting, share);
    Setting even = setting;
    even.layout.balanced_stages = false;
    const StageShare even_share = stage_share(even);
    const HeldParameters even_held = held_parameters(even, even_share);
    group.fewest = stage_layers(even, even_share);
    for (const std::int64_t stage : group.zero_stages) {
      setting.layout.zero_stage = even.layout.zero_stage = stage;
      updates_.push_back(update_of(setting, share));
      updates_.back().least = stage_state(even, even_share, even_held);
    }
    groups_.push_back(group);
  }
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  const bool flash = base_.setting.work.flash_attention;
  for (std::uint32_t at = 0; at < groups_.size(); ++at) {
    const Group& group = groups_[at];
    const auto data = static_cast<double>(group.degrees.data);
    for (const std::int64_t micro_batch : divisors(inputs_.global_batch_size / group.degrees.data)) {
      if (micro_batch > most_micro_batch) break;
      const double count =
          static_cast<double>(inputs_.global_batch_size) / (data * static_cast<double>(micro_batch));
      const auto variants = static_cast<double>(
          group.zero_stages.size() *
          all_schedules(inputs_, group.degrees.pipeline, static_cast<std::int64_t>(count)).size());
      for (const bool sequence : {false, true}) {
        if (sequence && (group.degrees.tensor == 1 ||
                         inputs_.sequence_length % (group.degrees.tensor * group.degrees.context) != 0)) {
          continue;
        }
        for (const Recompute recompute : {Recompute::none, Recompute::selective, Recompute::full}) {
          // Flash attention keeps no scores: to recompute them would save nothing.
          if (flash && recompute == Recompute::selective) continue;
          const std::uint64_t key = key_of(group.degrees, micro_batch, sequence, recompute);
          const auto [place, fresh] = known.try_emplace(key, static_cast<std::uint32_t>(costs_.size()));
          if (fresh) {
            TrainingStepInputs step = step_inputs(inputs_, group.degrees);
            step.work.batch_size = micro_batch;
            step.work.recompute = recompute;
            step.layout.sequence_parallel = sequence;
            const Setting setting = completed(step).setting;
            costs_.push_back({setting, layer_time(setting, base_.machine, rates_, pricing_, {}),
                              head_time(setting, base_.machine, rates_, pricing_), layer_memory(setting)});
          }
          const LayerCosts& costs = costs_[place->second];
          const auto stages = static_cast<double>(group.degrees.pipeline);
          Family family{at, place->second,
                        least_time_us(costs.time, costs.head, static_cast<double>(inputs_.shape.num_layers),
                                      stages, group.fewest, count),
                        0};
          for (std::size_t zero = 0; zero < group.zero_stages.size(); ++zero) {
            const double bytes = least_memory(costs.memory, updates_[group.first_update + zero].least,
                                              group.fewest, stages, count);
            if (zero == 0 || bytes < family.least_bytes) family.least_bytes = bytes;
          }
          family.variants = variants;
          counts_.layouts += variants;
          if (inputs_.prune && family.least_bytes > limit_bytes_) {
            counts_.too_large += variants;
            too_large_.push_back(family);
          } else {
            order_.push_back(family);
          }
        }
      }
    }
  }
  counts_.families = static_cast<double>(order_.size());
  std::stable_sort(order_.begin(), order_.end(), [](const Family& one, const Family& other) {
    return one.least_us != other.least_us ? one.least_us < other.least_us
                                          : one.least_bytes < other.least_bytes;
  });
}

bool LayoutSearch::cannot_matter(const Family& family) const {
  const auto wanted = static_cast<std::size_t>(inputs_.best);
  const double least_ms = family.least_us * 1e-3;
  if (best_.size() < wanted || least_ms <= best_.back().step_time_ms) return false;
  const double least_gib = family.least_bytes / gib;
  // A layout of the front that is as quick as the family's bound and no larger than its other bound outdoes
  // it.
  for (const PlannedLayout& row : front_) {
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
    ++counts_.too_large;
    return;
  }
  const double time_ms = parts.total_us() * 1e-3;
  const double memory_gib = bytes / gib;
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
  const bool among_best = best_.size() < wanted || time_ms <= best_.back().step_time_ms;
  const auto behind =
      std::upper_bound(front_.begin(), front_.end(), time_ms,
                       [](double time, const PlannedLayout& other) { return time < other.step_time_ms; });
  const bool on_front = behind == front_.begin() || (behind - 1)->memory_gib > memory_gib;
  if (!among_best && !on_front) return;
  PlannedLayout found = row(family, zero_stage, choice);
  found.parts = parts;
  found.step_time_ms = time_ms;
  found.memory_gib = memory_gib;
  if (on_front) {
    // Whoever is as slow and as large is off; so is an equally quick and larger one before.
    auto from = behind;
    while (from != front_.begin() && (from - 1)->step_time_ms == time_ms) --from;
    auto to = from;
    while (to != front_.end() && to->memory_gib >= memory_gib) ++to;
    from = front_.erase(from, to);
    front_.insert(from, found);
  } else if (behind != front_.begin() && (behind - 1)->step_time_ms == time_ms &&
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
  Setting setting = with_degrees(costs.setting, group.degrees);
  const auto stages = static_cast<double>(group.degrees.pipeline);
  const std::int64_t count = inputs_.global_batch_size / (group.degrees.data * setting.work.batch_size);

  PipelinePlan plan;
  plan.stages = stages;
  plan.micro_batches = static_cast<double>(count);
  plan.transfer_us = hop_us(setting, base_.machine, pricing_);
  plan.replica_nodes = group.replica_nodes;
  plan.overlap_data = setting.layout.overlap_data;
  plan.sync_us = constants::pipeline_sync_us;
  plan.straggler_share = constants::straggler_share;
  plan.data_overlap_share = constants::data_overlap_share;
  for (const ScheduleChoice& choice : all_schedules(inputs_, group.degrees.pipeline, count)) {
    setting.layout.virtual_stages = choice.virtual_stages;
    setting.layout.pipeline_schedule = choice.schedule;
    plan.schedule = choice.schedule;
    plan.virtual_stages = static_cast<double>(choice.virtual_stages);
    plan.layers = group.in_one_chunk;
    // Chunks are dealt out evenly whatever the stages would be, and the parameters with them.
    const bool otherwise = choice.virtual_stages > 1 && group.fewest.first != group.in_one_chunk.first;
    StageShare share;
    if (otherwise) {
      share = stage_share(setting);
      plan.layers = stage_layers(setting, share);
    }
    const double held = micro_batches_in_flight(setting.layout, plan.micro_batches);
    for (std::size_t zero = 0; zero < group.zero_stages.size(); ++zero) {
      Update dealt;
      if (otherwise) {
        setting.layout.zero_stage = group.zero_stages[zero];
        dealt = update_of(setting, share);
      }
      const Update& update = otherwise ? dealt : updates_[group.first_update + zero];
      const StepParts parts = step_parts(costs.time, costs.head, update.time, plan);
      const double bytes = step_memory(costs.memory, update.state, plan.layers, stages, held).total();
      consider(family, group.zero_stages[zero], choice, parts, bytes);
    }
  }
}

double LayoutSearch::short_gib() const {
  if (!done() || !best_.empty()) return 0;
  return std::max(0.0, smallest_.memory_gib - limit_gib_);
}

double LayoutSearch::settled_share() const {
  return done() ? 1 : counts_.families_done / counts_.families;
}

void LayoutSearch::advance(std::int64_t evaluations) {
  const double until = counts_.evaluated + static_cast<double>(evaluations);
  while (next_ < order_.size() && counts_.evaluated < until) {
    const Family& family = order_[next_++];
    ++counts_.families_done;
    if (inputs_.prune && cannot_matter(family)) {
      counts_.outdone += family.variants;
    } else {
      evaluate(family);
    }
  }
  if (next_ < order_.size() || !best_.empty() || too_large_.empty()) return;
  // Nothing fits: how little is possible? Families by their bound, until none can need less.
  std::stable_sort(too_large_.begin(), too_large_.end(), [](const Family& one, const Family& other) {
    return one.least_bytes < other.least_bytes;
  });
  for (const Family& family : too_large_) {
    if (smallest_bytes_ > 0 && family.least_bytes >= smallest_bytes_) break;
    counts_.too_large -= family.variants;
    evaluate(family);
  }
  too_large_.clear();
}

}  // namespace commcost
