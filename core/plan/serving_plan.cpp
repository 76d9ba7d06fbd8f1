#include "core/plan/serving_plan.h"

#include <algorithm>

#include "core/parallel/job_problems.h"

namespace commcost {
namespace {

/// Sequences of a group of ranks that are tried: powers of two up to this.
constexpr std::int64_t most_batch = 4096;
/// Versions of one stack differ by as much in a quarter of cases: nothing below it is ranked.
constexpr double told_apart = 1.09;

// A server of so many tensor ranks, times groups that share the experts.
ServingStepInputs server(const ServingPlanInputs& inputs, std::int64_t tensor, std::int64_t groups) {
  ServingStepInputs step = inputs;
  step.job.layout = {};
  step.job.layout.tensor_parallel = tensor;
  step.job.layout.data_parallel = groups;
  step.job.layout.expert_parallel = groups;
  step.job.work.global_batch_size = 0;
  return step;
}

ServingStep step_at(ServingStepInputs step, std::int64_t batch, std::int64_t tokens) {
  step.job.work.mode = Mode::decode;
  step.job.work.batch_size = batch;
  step.job.work.sequence_length = std::max<std::int64_t>(1, tokens);
  return *serving_step(step);
}

// Its requests at that batch, in a steady state: every sequence's prompt is read between tokens of the
// others.
ServingDeployment deployment_at(const ServingPlanInputs& inputs, const ServingStepInputs& step,
                                std::int64_t batch) {
  const auto output = static_cast<double>(inputs.output_tokens);
  const auto sequences = static_cast<double>(batch);
  const ServingStep full = step_at(step, batch, inputs.prompt_tokens + inputs.output_tokens);
  const double token_ms = step_at(step, batch, inputs.prompt_tokens + inputs.output_tokens / 2).step_time_ms;
  const double gpus = full.cluster_gpus;
  ServingDeployment found;
  found.tensor_parallel = static_cast<double>(step.job.layout.tensor_parallel);
  found.expert_parallel = static_cast<double>(step.job.layout.expert_parallel);
  found.replicas = static_cast<double>(inputs.cluster_gpus / static_cast<std::int64_t>(gpus));
  found.idle_gpus = static_cast<double>(inputs.cluster_gpus) - found.replicas * gpus;
  found.batch_size = sequences;
  found.first_token_ms = step_at(step, 1, inputs.prompt_tokens).first_token_ms;
  found.token_ms = token_ms + sequences * found.first_token_ms / output;
  found.tokens_per_sec_per_user = 1e3 / found.token_ms;
  const double served = sequences * static_cast<double>(step.job.layout.data_parallel) * found.replicas;
  found.requests_per_sec = served * 1e3 / (output * found.token_ms);
  found.output_tokens_per_sec_per_gpu =
      found.requests_per_sec * output / static_cast<double>(inputs.cluster_gpus);
  found.memory_gib = full.memory_gib;
  const auto beyond = [](double value, double most) { return most > 0 && value > most; };
  found.verdict = !full.fits ? ServingVerdict::does_not_fit
                  : beyond(found.first_token_ms, inputs.most_first_token_ms)
                      ? ServingVerdict::first_token_too_slow
                  : beyond(found.token_ms, inputs.most_token_ms) ? ServingVerdict::token_too_slow
                                                                 : ServingVerdict::less_throughput;
  return found;
}

bool meets(const ServingDeployment& one) {
  return one.verdict <= ServingVerdict::less_throughput;
}

// With the batch that brings most; where none meets the targets, with one sequence.
ServingDeployment deployment(const ServingPlanInputs& inputs, const ServingStepInputs& step) {
  ServingDeployment best = deployment_at(inputs, step, 1);
  for (std::int64_t batch = 2; meets(best) && batch <= most_batch; batch *= 2) {
    const ServingDeployment next = deployment_at(inputs, step, batch);
    if (!meets(next)) break;
    if (next.requests_per_sec > best.requests_per_sec) best = next;
  }
  return best;
}

std::vector<ServingDeployment> deployments(const ServingPlanInputs& inputs) {
  std::vector<ServingDeployment> found;
  for (std::int64_t tensor = 1; tensor <= inputs.cluster_gpus; tensor *= 2) {
    const std::int64_t most_groups = has_experts(inputs.job.model) ? inputs.cluster_gpus / tensor : 1;
    for (std::int64_t groups = 1; groups <= most_groups; groups *= 2) {
      ServingStepInputs step = server(inputs, tensor, groups);
      step.job.work.batch_size = 1;
      step.job.work.sequence_length = inputs.prompt_tokens;
      if (can_run(completed(step.job))) found.push_back(deployment(inputs, step));
    }
  }
  return found;
}

void judge(std::vector<ServingDeployment>& all) {
  std::stable_sort(all.begin(), all.end(), [](const ServingDeployment& one, const ServingDeployment& other) {
    if (one.verdict != other.verdict) return one.verdict < other.verdict;
    if (one.requests_per_sec != other.requests_per_sec) return one.requests_per_sec > other.requests_per_sec;
    return one.tensor_parallel < other.tensor_parallel;
  });
  if (all.empty() || !meets(all.front())) return;
  const double most = all.front().requests_per_sec;
  for (ServingDeployment& one : all) {
    if (meets(one) && one.requests_per_sec * told_apart >= most) one.verdict = ServingVerdict::tie;
  }
  all.front().verdict = ServingVerdict::best;
}

}  // namespace

Outcome<ServingPlan> plan_serving(const ServingPlanInputs& given) {
  ServingPlanInputs inputs = given;
  inputs.job.model = completed(given.job.model);
  ServingStepInputs one = server(inputs, 1, 1);
  one.job.work.batch_size = 1;
  one.job.work.sequence_length = inputs.prompt_tokens;
  const Job alone = completed(one.job);
  if (!can_run(alone)) return problems_of(alone);
  ServingPlan plan;
  plan.deployments = deployments(inputs);
  judge(plan.deployments);
  plan.found = !plan.deployments.empty() && plan.deployments.front().verdict == ServingVerdict::best;
  return plan;
}

}  // namespace commcost
