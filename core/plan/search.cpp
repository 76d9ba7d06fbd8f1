#include "core/plan/search.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "core/base/units.h"
#include "core/parallel/job_problems.h"
#include "core/parallel/pipeline.h"
#include "core/plan/bounds.h"
#include "core/plan/space_problems.h"

namespace commcost {
namespace {

double limit_bytes(const PlanInputs& inputs, const Machine& machine) {
  const double available = available_bytes(accelerator_of(machine));
  return inputs.memory_limit_gib > 0 ? std::min(available, inputs.memory_limit_gib * gib) : available;
}

PlanInputs with_job(PlanInputs inputs, const Job& job) {
  inputs.job = job;
  return inputs;
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
  if (problems.empty()) problems = combination_problems(inputs);
  return problems.empty() ? space_problems(inputs) : problems;
}

SharedPrices shared_prices(const PlanInputs& inputs) {
  SharedPrices prices;
  for (const Combination& one : all_combinations(inputs))
    prices.push_back(std::make_shared<LayerPrices>(with_job(inputs, one.job)));
  return prices;
}

LayoutSearch::LayoutSearch(const PlanInputs& inputs) : LayoutSearch(inputs, shared_prices(inputs)) {}

LayoutSearch::LayoutSearch(const PlanInputs& inputs, SharedPrices prices)
    : inputs_(on_whole_machine(inputs)),
      software_(all_software(inputs_, std::move(prices))),
      limit_bytes_(limit_bytes(inputs, inputs_.job.machine)),
      roomy_bytes_(inputs.roomy(limit_bytes_)),
      groups_(all_groups()),
      ranking_(static_cast<std::size_t>(inputs.best), divisions_, limit_bytes_, roomy_bytes_,
               inputs.pareto_front) {
  for (std::uint32_t at = 0; at < groups_.size(); ++at) add_bundles(at);
  counts_.bundles = static_cast<double>(order_.size());
}

std::vector<LayoutSearch::Software> LayoutSearch::all_software(const PlanInputs& inputs,
                                                               SharedPrices prices) {
  std::vector<Software> all;
  for (Combination& one : all_combinations(inputs)) {
    PlanInputs with_settings = with_job(inputs, one.job);
    all.push_back({std::move(one), std::move(with_settings), std::move(prices[all.size()])});
  }
  return all;
}

// Those without changed settings come first, so families are numbered by them.
std::deque<LayoutSearch::Group> LayoutSearch::all_groups() {
  std::deque<Group> groups;
  std::map<Degrees, std::uint32_t> divisions;
  for (std::uint32_t at = 0; at < software_.size(); ++at) {
    const Software& software = software_[at];
    for_all_products(software.inputs, [&](const Degrees& degrees) {
      const Job job = completed(job_of(software.inputs, degrees));
      std::vector<ScheduleChoice> schedules = possible_schedules(software.inputs, job);
      if (schedules.empty() || !all_may_matter(software.settings, job)) return false;
      groups.push_back(group_of(at, degrees, job, std::move(schedules)));
      groups.back().division =
          divisions.try_emplace(degrees, static_cast<std::uint32_t>(divisions.size())).first->second;
      return false;
    });
  }
  divisions_ = static_cast<std::uint32_t>(divisions.size());
  return groups;
}

std::vector<LayerChoice> LayoutSearch::layer_choices(const Group& group) const {
  const Software& software = *group.software;
  std::vector<LayerChoice> choices = all_layer_choices(software.inputs, group.job);
  if (software.settings.changed.empty()) return choices;
  Job job = group.job;
  std::erase_if(choices, [&](const LayerChoice& choice) {
    choice.apply(job);
    return !all_matter(software.settings, job);
  });
  return choices;
}

LayoutSearch::Deal LayoutSearch::deal_of(const Job& job) const {
  const StageShare share = stage_share(job);
  Deal deal{distinct_stages(job, share), all_zero_stages(inputs_, job), {}, {}};
  Job with_zero = job;
  for (const std::int64_t stage : deal.zero_stages) {
    with_zero.layout.zero_stage = stage;
    deal.states.push_back(stage_states(with_zero, share, deal.stages));
  }
  deal.least_states = deal.states.front();
  const auto bytes = [](const StageState& state) { return state.state.total() + state.gathered; };
  for (const StageStates& states : deal.states) {
    for (std::size_t at = 0; at < states.size(); ++at)
      if (bytes(states[at]) < bytes(deal.least_states[at])) deal.least_states[at] = states[at];
  }
  return deal;
}

LayoutSearch::Group LayoutSearch::group_of(std::uint32_t combination, const Degrees& degrees, const Job& job,
                                           std::vector<ScheduleChoice> schedules) {
  const Software& software = software_[combination];
  Group group{&software, combination, 0, degrees, job, std::move(schedules), 0, {}, {}, {}};
  group.layer_degrees = software.prices->degrees_of(job.layout);
  const auto add = [&](Dealing dealing, const Job& dealt) {
    group.deal_at[static_cast<std::size_t>(dealing)] = static_cast<std::uint8_t>(group.deals.size());
    group.deals.push_back(deal_of(dealt));
  };
  add(Dealing::in_one_chunk, job);
  Job even = job;
  even.layout.balanced_stages = false;
  if (group.deal(Dealing::in_one_chunk).stages[0].layers() != stage_layers(even).most())
    add(Dealing::in_chunks, even);
  // The smallest micro-batch leaves the widest choice.
  for (const ScheduleChoice& choice :
       filled(group.schedules, degrees.pipeline, inputs_.job.work.global_batch_size / degrees.data)) {
    const Dealing dealing = dealing_of(choice);
    if (dealing != Dealing::both_ways && dealing != Dealing::folded) continue;
    Job chosen = job;
    choose(chosen.layout, choice);
    add(dealing, chosen);
  }
  return group;
}

// Schedules that deal layers out in a line share the bound of 1F1B with layers dealt out evenly.
const LayoutSearch::Filled& LayoutSearch::fill(const Group& group, std::int64_t micro_batches) {
  fill_into(filled_.choices, group.schedules, group.degrees.pipeline, micro_batches);
  filled_.bounds = {};
  filled_.variants = 0;
  bool in_a_line = false;
  for (const ScheduleChoice& choice : filled_.choices) {
    const Dealing dealing = dealing_of(choice);
    filled_.variants += static_cast<std::uint32_t>(group.deal(dealing).zero_stages.size());
    if (dealing == Dealing::both_ways || dealing == Dealing::folded) {
      filled_.bounds.add({dealing, choice.schedule});
    } else if (!in_a_line) {
      in_a_line = true;
      filled_.bounds.add({Dealing::in_chunks, choice.schedule});
    }
  }
  return filled_;
}

void LayoutSearch::add_bundles(std::uint32_t at) {
  const Group& group = groups_[at];
  LayerPrices& prices = *group.software->prices;
  Job job = group.job;
  // Bounds on a layer are the same for every micro-batch.
  struct Least {
    const LayerMemory* memory = nullptr;
    const DeviceTimes* times = nullptr;
  };
  Least least_of[2][std::size(recompute_names)];
  double count = 0;
  for (const LayerChoice& choice : layer_choices(group)) {
    const bool fills = choice.micro_batch != job.work.batch_size || count == 0;
    choice.apply(job);
    if (fills) {
      const std::int64_t whole = micro_batches(job.work, job.layout);
      count = static_cast<double>(whole);
      fill(group, whole);
    }
    if (filled_.variants == 0) continue;
    const auto sequences = static_cast<double>(choice.micro_batch);
    Bundle bundle{{}, choice, at, filled_.variants};
    Least& least = least_of[choice.sequence_parallel][static_cast<std::size_t>(choice.recompute)];
    if (least.memory == nullptr) least.memory = &prices.least_memory(job, group.layer_degrees);
    bundle.least.bytes = least_bytes(group, *least.memory, sequences, count);
    counts_.layouts += bundle.variants;
    if (inputs_.prune && bundle.least.bytes > limit_bytes_) {
      counts_.out_of_memory += bundle.variants;
      out_of_memory_.push_back(bundle);
      continue;
    }
    // Times take longer to price than memory, and most bundles are out by now.
    if (least.times == nullptr) least.times = &prices.least_times(job, group.layer_degrees);
    bundle.least.step_us = least_us(group, *least.times, sequences, count);
    order_.push_back(bundle);
  }
}

double LayoutSearch::least_us(const Group& group, const DeviceTimes& times, double sequences,
                              double micro_batches) const {
  const auto stages = static_cast<double>(group.degrees.pipeline);
  const auto layers = static_cast<double>(inputs_.job.model.num_layers);
  const auto moe = static_cast<double>(expert_layers(inputs_.job.model));
  double least = std::numeric_limits<double>::infinity();
  for (const Bound& bound : filled_.bounds) {
    const Stage& fewest = group.deal(bound.dealing).stages[0];
    // If the first stage repeats only some of its layers, the mean stage may repeat none.
    Stage whole{layers - moe, moe};
    whole.repeated_share = fewest.repeated_share < 1 ? 0 : 1;
    least = std::min(least, least_time_us(times, sequences, whole, stages, fewest, micro_batches));
  }
  return least;
}

double LayoutSearch::least_bytes(const Group& group, const LayerMemory& memory, double sequences,
                                 double micro_batches) const {
  const auto stages = static_cast<double>(group.degrees.pipeline);
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [dealing, schedule] : filled_.bounds) {
    const Deal& deal = group.deal(dealing);
    if (dealing == Dealing::in_chunks) {
      const StageState& state = deal.least_states[0];
      least = std::min(least, least_memory(memory, sequences, state.state.total() + state.gathered,
                                           deal.stages[0], stages, micro_batches));
      continue;
    }
    Layout layout;
    layout.pipeline_parallel = group.degrees.pipeline;
    layout.pipeline_schedule = schedule;
    LayerMemory of_all = memory;
    for (double LayerMemory::*part :
         {&LayerMemory::kept, &LayerMemory::working, &LayerMemory::logits, &LayerMemory::whole})
      of_all.*part *= sequences;
    least = std::min(least, step_bytes(stage_needs(of_all, deal.stages), deal.least_states,
                                       micro_batches_in_flight(layout, micro_batches)));
  }
  return least;
}

PlannedLayout LayoutSearch::row(const Bundle& bundle, std::int64_t zero_stage,
                                const ScheduleChoice& choice) const {
  PlannedLayout row;
  const Group& group = groups_[bundle.group];
  row.division = group.division;
  row.combination = group.combination;
  row.changes = static_cast<std::uint32_t>(group.software->settings.changed.size());
  row.job = job_of(group.software->inputs, group.degrees);
  row.job.layout.zero_stage = zero_stage;
  bundle.choice.apply(row.job);
  choose(row.job.layout, choice);
  return row;
}

const LayoutSearch::Updates& LayoutSearch::updates_of(Group& group, const ScheduleChoice& choice) {
  const auto dealing = static_cast<std::size_t>(dealing_of(choice));
  Updates& updates = group.updates[dealing];
  if (!updates.by_zero_stage.empty()) return updates;
  Job job = group.job;
  choose(job.layout, choice);
  const StepModel& model = group.software->prices->model();
  updates.waiting = waiting_rules(model.bound_to(job));
  job.layout.sequence_parallel = true;
  const StageShare share = stage_share(job);
  const Deal& deal = group.deal(dealing_of(choice));
  for (const std::int64_t stage : deal.zero_stages) {
    job.layout.zero_stage = stage;
    Update update{update_times(model.bound_to(job), share, deal.stages), {}};
    update.whole_tokens = update.shared_tokens;
    for (UpdateTime& time : update.whole_tokens) time.replicated_us = 0;
    updates.by_zero_stage.push_back(update);
  }
  return updates;
}

void LayoutSearch::evaluate(const Bundle& bundle) {
  const Group& group = groups_[bundle.group];
  Job job = group.job;
  bundle.choice.apply(job);
  const std::int64_t count = micro_batches(job.work, job.layout);
  fill(group, count);
  const LayerPrice& layer = group.software->prices->of(job, group.layer_degrees);
  if (inputs_.prune) {
    // Once its layers are priced, the bounds are tighter.
    const auto micro_batches = static_cast<double>(count);
    Bundle priced = bundle;
    priced.least = {least_us(group, layer.times, 1, micro_batches),
                    least_bytes(group, layer.memory, 1, micro_batches)};
    if (cannot_matter(priced)) {
      counts_.dominated += bundle.variants;
      return;
    }
  }
  const std::uint32_t division = group.division;
  price(bundle, layer, job, filled_.choices, [this, division](const LayoutCost& cost, const auto& make_row) {
    const bool fits = ranking_.consider(division, cost, make_row);
    ++counts_.evaluated;
    ++(fits ? counts_.compared : counts_.out_of_memory);
  });
}

template <class Take>
void LayoutSearch::price(const Bundle& bundle, const LayerPrice& layer, Job& job,
                         const std::vector<ScheduleChoice>& choices, const Take& take) {
  std::span<const ScheduleChoice> rest(choices.data(), choices.size());
  while (!rest.empty()) {
    const Dealing dealing = dealing_of(rest.front());
    const auto other = std::find_if(rest.begin(), rest.end(), [dealing](const ScheduleChoice& one) {
      return dealing_of(one) != dealing;
    });
    const auto alike = static_cast<std::size_t>(other - rest.begin());
    price_alike(bundle, layer, job, rest.first(alike), take);
    rest = rest.subspan(alike);
  }
}

template <class Take>
void LayoutSearch::price_alike(const Bundle& bundle, const LayerPrice& layer, Job& job,
                               std::span<const ScheduleChoice> choices, const Take& take) {
  Group& group = groups_[bundle.group];
  const Deal& deal = group.deal(dealing_of(choices.front()));
  const auto& [waiting, all_updates] = updates_of(group, choices.front());
  choose(job.layout, choices.front());
  const PassTimes passes = pass_times(layer.layers, layer.ends, deal.stages, waiting.overlap_scale);
  const StageNeeds needs = stage_needs(layer.memory, deal.stages);
  const BoundaryTime boundary = boundary_time(group.software->prices->model().bound_to(job));
  for (const ScheduleChoice& choice : choices) {
    choose(job.layout, choice);
    const PipelinePlan plan = pipeline_plan(job, waiting);
    const PipelineTimes pipeline = pipeline_times(passes, boundary, plan);
    const InFlight in_flight = micro_batches_in_flight(job.layout, plan.micro_batches);
    for (std::size_t at = 0; at < all_updates.size(); ++at) {
      const Update& update = all_updates[at];
      const UpdateTimes& updates = job.layout.sequence_parallel ? update.shared_tokens : update.whole_tokens;
      const SlowestStage slowest = slowest_stage(passes, updates, pipeline, plan);
      const double bytes = step_bytes(needs, deal.states[at], in_flight);
      take(LayoutCost{slowest.step_us, bytes}, [&] {
        PlannedLayout found = row(bundle, deal.zero_stages[at], choice);
        found.parts =
            step_parts(passes.by_stage[slowest.at], updates[slowest.at], pipeline[slowest.at], plan);
        found.step_time_ms = slowest.step_us * 1e-3;
        found.memory_gib = bytes / gib;
        found.is_tight = bytes > roomy_bytes_;
        return found;
      });
    }
  }
}

template <class Take>
void LayoutSearch::price_all(std::uint32_t division, const Take& take) {
  for (std::uint32_t at = 0; at < groups_.size(); ++at) {
    const Group& group = groups_[at];
    if (group.division != division) continue;
    for (const LayerChoice& choice : layer_choices(group)) {
      Job job = group.job;
      choice.apply(job);
      price({{}, choice, at, 0}, group.software->prices->of(job, group.layer_degrees), job,
            fill(group, micro_batches(job.work, job.layout)).choices, take);
    }
  }
}

FamilyRange LayoutSearch::range_of(const PlannedLayout& row) {
  FamilyRange range;
  price_all(row.division, [&](const LayoutCost& cost, const auto&) {
    if (cost.bytes > limit_bytes_) return;
    const double ms = cost.step_us * 1e-3;
    const double memory = cost.bytes / gib;
    const bool first = range.layouts++ == 0;
    range.fastest_ms = first ? ms : std::min(range.fastest_ms, ms);
    range.slowest_ms = std::max(range.slowest_ms, ms);
    range.least_gib = first ? memory : std::min(range.least_gib, memory);
    range.most_gib = std::max(range.most_gib, memory);
  });
  return range;
}

std::vector<PlannedLayout> LayoutSearch::variants_of(const PlannedLayout& row) {
  std::vector<PlannedLayout> variants;
  price_all(row.division, [&](const LayoutCost& cost, const auto& make_row) {
    if (cost.bytes <= limit_bytes_) variants.push_back(make_row());
  });
  std::stable_sort(variants.begin(), variants.end(), comes_before);
  return variants;
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
  return done() ? 1 : counts_.bundles_done / counts_.bundles;
}

bool LayoutSearch::cannot_matter(const Bundle& bundle) const {
  return inputs_.prune && ranking_.cannot_matter(groups_[bundle.group].division, bundle.least);
}

// The first layouts are found among few bundles, after which most others are known to lose and need no order.
bool LayoutSearch::order_next() {
  constexpr std::ptrdiff_t at_once = 4096;
  const auto next = order_.begin() + static_cast<std::ptrdiff_t>(next_);
  const auto lost =
      std::partition(next, order_.end(), [this](const Bundle& one) { return !cannot_matter(one); });
  for (auto one = lost; one != order_.end(); ++one) counts_.dominated += one->variants;
  counts_.bundles_done += static_cast<double>(order_.end() - lost);
  order_.erase(lost, order_.end());
  const auto end = next + std::min(at_once, order_.end() - next);
  const auto sooner = [](const Bundle& one, const Bundle& other) {
    return one.least.step_us != other.least.step_us ? one.least.step_us < other.least.step_us
           : one.least.bytes != other.least.bytes   ? one.least.bytes < other.least.bytes
                                                    : one.place() < other.place();
  };
  std::partial_sort(next, end, order_.end(), sooner);
  ordered_ = static_cast<std::size_t>(end - order_.begin());
  return next_ < ordered_;
}

void LayoutSearch::advance(std::int64_t evaluations) {
  const double until = counts_.evaluated + static_cast<double>(evaluations);
  while (counts_.evaluated < until && (next_ < ordered_ || order_next())) {
    const Bundle& bundle = order_[next_++];
    ++counts_.bundles_done;
    if (cannot_matter(bundle)) {
      counts_.dominated += bundle.variants;
    } else {
      evaluate(bundle);
    }
  }
  best_ = ranking_.best();
  if (next_ < order_.size() || !best_.empty() || out_of_memory_.empty()) return;
  // Nothing fits: find the least that is possible. Bundles by their bound, until none can need less.
  const auto needs_more = [](const Bundle& one, const Bundle& other) {
    return one.least.bytes != other.least.bytes ? one.least.bytes > other.least.bytes
                                                : one.place() > other.place();
  };
  std::make_heap(out_of_memory_.begin(), out_of_memory_.end(), needs_more);
  while (!out_of_memory_.empty()) {
    std::pop_heap(out_of_memory_.begin(), out_of_memory_.end(), needs_more);
    const Bundle bundle = out_of_memory_.back();
    out_of_memory_.pop_back();
    if (ranking_.smallest_bytes() > 0 && bundle.least.bytes > ranking_.smallest_bytes()) break;
    counts_.out_of_memory -= bundle.variants;
    evaluate(bundle);
  }
  out_of_memory_.clear();
}

}  // namespace commcost
