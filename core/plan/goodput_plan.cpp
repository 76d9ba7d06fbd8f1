#include "core/plan/goodput_plan.h"

#include <algorithm>
#include <limits>
#include <span>

namespace commcost {
namespace {

double share_of(LatencyPercentile percentile) {
  switch (percentile) {
    case LatencyPercentile::p50:
      return 0.5;
    case LatencyPercentile::p90:
      return 0.9;
    case LatencyPercentile::p95:
      return 0.95;
    case LatencyPercentile::p99:
      break;
  }
  return 0.99;
}

double at(const RequestTimes& times, LatencyPercentile percentile) {
  switch (percentile) {
    case LatencyPercentile::p50:
      return times.p50_ms;
    case LatencyPercentile::p90:
      return times.p90_ms;
    case LatencyPercentile::p95:
      return times.p95_ms;
    case LatencyPercentile::p99:
      break;
  }
  return times.p99_ms;
}

ServingPlanInputs steady_inputs(const GoodputPlanInputs& inputs) {
  ServingPlanInputs steady;
  static_cast<ServingStepInputs&>(steady) = inputs;
  steady.cluster_gpus = inputs.cluster_gpus;
  steady.prompt_tokens = inputs.prompt_tokens;
  steady.most_token_ms = inputs.most_token_ms;
  steady.most_first_token_ms = inputs.most_first_token_ms;
  steady.prefix_hit_percent = inputs.prefix_hit_percent;
  steady.requests_per_sec = inputs.requests_per_sec;
  return steady;
}

ServingLoadInputs load_inputs(const GoodputPlanInputs& inputs, const ServingDeployment& one) {
  ServingLoadInputs load = inputs;
  load.job.layout = layout_of(one, inputs.job.layout);
  load.job.work.batch_size = static_cast<std::int64_t>(one.batch_size);
  load.job.work.step_tokens = static_cast<std::int64_t>(one.step_tokens);
  load.replicas = static_cast<std::int64_t>(one.replicas);
  load.max_concurrency = 0;
  return load;
}

// A deployment before and after it is simulated.
struct Candidate {
  ServingDeployment deployment;
  DeploymentLoad load;
};

void set_goodput(const GoodputPlanInputs& inputs, const Goodput& found, Candidate& candidate) {
  ServingDeployment& one = candidate.deployment;
  candidate.load.first_token = found.load.first_token;
  candidate.load.token = found.load.token;
  one.batch_size = static_cast<double>(found.settings.batch_size);
  one.step_tokens = static_cast<double>(found.settings.step_tokens);
  one.memory_gib = served_memory_gib(steady_inputs(inputs), one);
  one.requests_per_sec = found.requests_per_sec;
  one.output_tokens_per_sec_per_gpu = one.requests_per_sec * static_cast<double>(inputs.output_tokens) /
                                      static_cast<double>(inputs.cluster_gpus);
  one.basis = found.band.basis;
  one.first_token_ms = at(found.load.first_token, inputs.latency_percentile);
  one.first_token_low_ms = one.first_token_ms * found.band.low;
  one.first_token_high_ms = one.first_token_ms * found.band.high;
  one.token_ms = at(found.load.token, inputs.latency_percentile);
  one.token_low_ms = one.token_ms * found.band.low;
  one.token_high_ms = one.token_ms * found.band.high;
  one.tokens_per_sec_per_user = one.token_ms > 0 ? 1e3 / one.token_ms : 0;
  set_needed(one, found.needed_replicas);
  if (one.requests_per_sec > 0) return;
  const bool late = inputs.most_token_ms > 0 && one.token_ms > inputs.most_token_ms;
  one.verdict = late ? ServingVerdict::token_too_slow : ServingVerdict::first_token_too_slow;
}

// The best of those simulated first, and those that were not behind them though they serve less.
void add_in_order(const std::vector<Candidate>& candidates, GoodputPlan& plan) {
  std::vector<ServingDeployment> others;
  for (const Candidate& one : candidates) {
    const bool unknown = meets_targets(one.deployment) && !one.load.simulated;
    (unknown ? others : plan.deployments).push_back(one.deployment);
  }
  judge(plan.deployments);
  for (ServingDeployment& one : others) one.verdict = ServingVerdict::less_throughput;
  const auto behind = std::find_if(plan.deployments.begin(), plan.deployments.end(),
                                   [](const ServingDeployment& one) { return !meets_targets(one); });
  plan.deployments.insert(behind, others.begin(), others.end());
  for (const ServingDeployment& one : plan.deployments) {
    const auto same = [&one](const Candidate& other) {
      return other.deployment.tensor_parallel == one.tensor_parallel &&
             other.deployment.pipeline_parallel == one.pipeline_parallel &&
             other.deployment.expert_parallel == one.expert_parallel;
    };
    plan.loads.push_back(std::find_if(candidates.begin(), candidates.end(), same)->load);
  }
}

}  // namespace

void SimulatedDeployments::take(const GoodputPlanInputs& inputs) {
  if (inputs_ == inputs) return;
  inputs_ = inputs;
  steady_ = plan_serving(steady_inputs(inputs));
  simulated_.clear();
}

const Outcome<Goodput>& SimulatedDeployments::at(std::size_t turn, const ServingDeployment& one) {
  if (turn == simulated_.size()) {
    const ServiceLevel level = {share_of(inputs_->latency_percentile), inputs_->most_first_token_ms,
                                inputs_->most_token_ms};
    const ServingLoadInputs load = load_inputs(*inputs_, one);
    const std::span<const std::int64_t> step_tokens = inputs_->job.work.step_tokens > 0
                                                          ? std::span(&load.job.work.step_tokens, 1)
                                                          : std::span(tried_step_tokens);
    simulated_.push_back(goodput(load, level, one.requests_per_sec, step_tokens));
  }
  return simulated_[turn];
}

Outcome<GoodputPlan> plan_goodput(const GoodputPlanInputs& inputs, std::int64_t simulations,
                                  SimulatedDeployments& known) {
  known.take(inputs);
  if (!known.steady()) return known.steady().problems();
  GoodputPlan plan;
  plan.stack_checked = known.steady()->stack_checked;
  plan.frontier = known.steady()->frontier;

  std::vector<Candidate> candidates;
  std::size_t done = 0;
  std::size_t left = 0;
  double most = 0;
  double fewest_gpus = std::numeric_limits<double>::infinity();
  for (const ServingDeployment& one : known.steady()->deployments) {
    Candidate& candidate = candidates.emplace_back(Candidate{one, {}});
    candidate.load.capacity_per_sec = one.requests_per_sec;
    candidate.deployment.needed_replicas = candidate.deployment.needed_gpus = 0;
    candidate.deployment.needed_gpus_high = 0;
    if (!meets_targets(one)) continue;
    // They are ordered by capacity: none serves more than that, nor a rate on fewer GPUs.
    const bool may_lead = within_error(one.requests_per_sec, most);
    const bool may_be_smallest = one.needed_gpus > 0 && one.needed_gpus < fewest_gpus;
    if (!may_lead && !may_be_smallest) continue;
    if (simulations > 0 && done == static_cast<std::size_t>(simulations)) {
      ++left;
      continue;
    }
    const Outcome<Goodput>& found = known.at(done++, one);
    candidate.load.simulated = true;
    if (found)
      set_goodput(inputs, *found, candidate);
    else
      candidate.deployment.verdict = ServingVerdict::does_not_fit;
    most = std::max(most, found ? found->requests_per_sec : 0);
    const double needed = candidate.deployment.needed_gpus;
    if (found && needed > 0) fewest_gpus = std::min(fewest_gpus, needed);
  }
  add_in_order(candidates, plan);
  if (left > 0) plan.progress = static_cast<double>(done) / static_cast<double>(done + left);
  plan.found = !plan.deployments.empty() && plan.deployments.front().verdict == ServingVerdict::best;
  return plan;
}

}  // namespace commcost
