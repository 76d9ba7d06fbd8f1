#include "core/plan/alternatives.h"

#include <algorithm>

#include "core/base/units.h"
#include "core/parallel/layout_problems.h"
#include "core/parallel/stacks.h"
#include "core/plan/ties.h"

namespace commcost {
namespace {

// How much more one layout has of every part than the winner.
StepParts more_than(const StepParts& winner, const StepParts& other) {
  StepParts more;
  for (const StepPart& part : all_step_parts) more.*part.us = other.*part.us - winner.*part.us;
  return more;
}

// The part with the largest increase.
int greatest_part(const StepParts& more) {
  int reason = no_loss;
  double most_us = 0;
  for (std::size_t at = 0; at < all_step_parts.size(); ++at) {
    const double us = more.*all_step_parts[at].us;
    if (us <= most_us) continue;
    most_us = us;
    reason = loss_of_part(at);
  }
  return reason;
}

class Collector {
 public:
  Collector(const PlanInputs& inputs, const PlannedLayout& winner, double limit_gib)
      : plan_(inputs), winner_(winner), limit_gib_(limit_gib) {}

  // `lacks`: what to say if the stack lacks it and none of its rules is broken.
  void add(Decision decision, double value, Job changed, std::string_view lacks = {}) {
    // The number of GPUs is given: replicas take what the other degrees leave.
    Layout& layout = changed.layout;
    const std::int64_t rest = layout.tensor_parallel * layout.context_parallel * layout.pipeline_parallel;
    if (plan_.job.layout.cluster_gpus % rest != 0) return;
    layout.data_parallel = plan_.job.layout.cluster_gpus / rest;
    layout.cluster_gpus = 0;
    settle(layout);
    const Job job = completed(changed);
    if (!can_exist(job)) return;
    Job by_any_stack = job;
    by_any_stack.stack.recipe = -1;
    if (!is_searched(plan_, by_any_stack)) return;
    const std::string_view broken = broken_rule(job);
    const StepSummary summary = step_summary(job);
    Alternative alternative;
    alternative.decision = decision;
    alternative.value = value;
    alternative.step_time_ms = summary.parts.total_us() * 1e-3;
    alternative.memory_gib = summary.memory.total() / gib;
    alternative.fits = alternative.memory_gib <= limit_gib_;
    alternative.lost_ms = alternative.step_time_ms - winner_.step_time_ms;
    alternative.more = more_than(winner_.parts, summary.parts);
    alternative.is_tie = alternative.fits && are_a_tie(alternative.step_time_ms, winner_.step_time_ms);
    alternative.deficit_gib = std::max(0.0, alternative.memory_gib - limit_gib_);
    alternative.reason = reason_of(alternative);
    alternative.stack_rule = broken.empty() ? lacks : broken;
    found_.push_back(alternative);
  }
  std::vector<Alternative> take() { return std::move(found_); }

 private:
  // Settings without effect on one rank, stage or replica are as pinned, or plain.
  void settle(Layout& layout) const {
    const AllowedValues& shared = plan_.allowed.sequence_parallel;
    if (layout.tensor_parallel == 1) layout.sequence_parallel = shared.pinned_or(0) != 0;
    // With one tensor rank nothing decided it: several share tokens, as most stacks do and some must.
    if (layout.tensor_parallel > 1 && winner_.job.layout.tensor_parallel == 1) {
      const std::int64_t ranks = layout.tensor_parallel * layout.context_parallel;
      layout.sequence_parallel = shared.pinned_or(plan_.job.work.sequence_length % ranks == 0 ? 1 : 0) != 0;
    }
    if (layout.pipeline_parallel == 1) choose(layout, of_one_stage(plan_.allowed));
    if (data_ranks(layout).size == 1) layout.zero_stage = plan_.allowed.zero_stage.pinned_or(0);
  }

  int reason_of(const Alternative& alternative) const {
    if (!alternative.fits) return does_not_fit;
    if (alternative.memory_gib > plan_.roomy(limit_gib_) && !winner_.is_tight) return too_tight;
    return alternative.is_tie ? no_loss : greatest_part(alternative.more);
  }

  const PlanInputs& plan_;
  const PlannedLayout& winner_;
  double limit_gib_;
  std::vector<Alternative> found_;
};

// Every divisor of `whole` in place of one degree.
void vary(Collector& collector, Decision decision, const Job& winner, std::int64_t whole,
          std::int64_t Layout::*degree) {
  for (const std::int64_t value : divisors(whole)) {
    if (value == winner.layout.*degree) continue;
    Job changed = winner;
    changed.layout.*degree = value;
    collector.add(decision, static_cast<double>(value), changed);
  }
}

}  // namespace

std::vector<Alternative> alternatives(const PlanInputs& inputs, const PlannedLayout& winner,
                                      double limit_gib) {
  Collector collector(inputs, winner, limit_gib);
  const Job& as_is = winner.job;
  vary(collector, Decision::tensor_parallel, as_is, inputs.job.layout.cluster_gpus, &Layout::tensor_parallel);
  if (as_is.layout.tensor_parallel > 1) {
    Job changed = as_is;
    changed.layout.sequence_parallel = !as_is.layout.sequence_parallel;
    collector.add(Decision::sequence_parallel, changed.layout.sequence_parallel, changed);
  }
  vary(collector, Decision::pipeline_parallel, as_is, inputs.job.layout.cluster_gpus,
       &Layout::pipeline_parallel);
  if (as_is.layout.pipeline_parallel > 1) {
    for (std::size_t schedule = 0; schedule < std::size(pipeline_schedule_names); ++schedule) {
      Job changed = as_is;
      changed.layout.pipeline_schedule = static_cast<PipelineSchedule>(schedule);
      changed.layout.virtual_stages =
          changed.layout.pipeline_schedule == PipelineSchedule::interleaved ? 2 : 1;
      if (changed.layout.pipeline_schedule == as_is.layout.pipeline_schedule) continue;
      collector.add(Decision::pipeline_schedule, static_cast<double>(schedule), changed);
    }
  }
  if (as_is.layout.pipeline_schedule == PipelineSchedule::interleaved) {
    const std::int64_t most =
        std::min(as_is.model.num_layers / as_is.layout.pipeline_parallel, most_virtual_stages);
    for (std::int64_t chunks = 2; chunks <= most; ++chunks) {
      if (chunks == as_is.layout.virtual_stages) continue;
      Job changed = as_is;
      changed.layout.virtual_stages = chunks;
      collector.add(Decision::virtual_stages, static_cast<double>(chunks), changed);
    }
  }
  vary(collector, Decision::context_parallel, as_is, inputs.job.layout.cluster_gpus,
       &Layout::context_parallel);
  if (as_is.model.num_experts > 1) {
    vary(collector, Decision::expert_parallel, as_is, as_is.model.num_experts, &Layout::expert_parallel);
    Job said = as_is;
    said.layout.expert_tensor_parallel = expert_tensor_degree(as_is.layout);
    vary(collector, Decision::expert_tensor_parallel, said, as_is.layout.tensor_parallel,
         &Layout::expert_tensor_parallel);
  }
  for (const std::int64_t stage : {0, 1, 2, 3}) {
    if (stage == as_is.layout.zero_stage || data_ranks(as_is.layout).size == 1) continue;
    Job changed = as_is;
    changed.layout.zero_stage = stage;
    collector.add(Decision::zero_stage, static_cast<double>(stage), changed);
  }
  for (const std::int64_t size : divisors(inputs.job.work.global_batch_size / as_is.layout.data_parallel)) {
    if (size == as_is.work.batch_size) continue;
    Job changed = as_is;
    changed.work.batch_size = size;
    collector.add(Decision::batch_size, static_cast<double>(size), changed);
  }
  for (std::size_t recompute = 0; recompute < std::size(recompute_names); ++recompute) {
    Job changed = as_is;
    changed.work.recompute = static_cast<Recompute>(recompute);
    if (changed.work.recompute == as_is.work.recompute) continue;
    collector.add(Decision::recompute, static_cast<double>(recompute), changed);
  }
  for (const SearchedSetting& searched : searched_settings(inputs)) {
    const Setting& setting = all_settings()[searched.place];
    if (!setting.matters(completed(as_is))) continue;
    const auto decision =
        static_cast<Decision>(static_cast<std::size_t>(Decision::first_setting) + searched.place);
    const auto add = [&](std::int64_t value, std::string_view lacks) {
      if (value == setting.of(as_is)) return;
      Job changed = as_is;
      setting.put(changed, value);
      collector.add(decision, static_cast<double>(value), changed, lacks);
    };
    for (const std::int64_t value : searched.values) add(value, {});
    for (const std::int64_t value : searched.lacked) add(value, "has no such setting");
  }
  return collector.take();
}

}  // namespace commcost
