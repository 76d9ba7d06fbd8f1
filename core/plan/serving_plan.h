#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/outcome.h"
#include "core/serving/serving_step.h"

namespace commcost {

/// The greatest number of tokens per step that is tried if none is given: as far as servers are usually
/// started with.
inline constexpr std::int64_t tried_step_tokens[] = {512, 1024, 2048, 4096, 8192, 16384};

/// A model to be served on that many GPUs: length of requests, and how long a user may wait. Batch and
/// degrees of the step are ignored, since they are searched for, and so is its most tokens if that is 0.
struct ServingPlanInputs : ServingStepInputs {
  ServingPlanInputs() { job.work.step_tokens = 0; }

  std::int64_t cluster_gpus = 8;
  std::int64_t prompt_tokens = 1024;
  double most_token_ms = 50;          ///< mean time per output token, including prompts between them; 0: any
  double most_first_token_ms = 1000;  ///< of a prompt alone, without a queue; 0: any
  double prefix_hit_percent = 0;      ///< of each prompt, kept from an earlier one and read at no cost
  double requests_per_sec = 0;        ///< to be served; 0: as many as the GPUs can
};

/// How a deployment compares with the others.
enum class ServingVerdict {
  best,                  ///< most requests per second within what a user may wait
  tie,                   ///< within error of that: versions of a stack differ by 9 %
  less_throughput,       ///< meets the targets with fewer requests a second
  token_too_slow,        ///< even at the smallest batch
  first_token_too_slow,  ///< the prompt takes too long
  does_not_fit,          ///< weights and one sequence need more memory
};
inline constexpr std::string_view serving_verdict_names[] = {
    "best", "tie", "less_throughput", "token_too_slow", "first_token_too_slow", "does_not_fit"};

/// How one server is laid out.
struct ServerDegrees {
  double tensor_parallel = 1;
  double pipeline_parallel = 1;       ///< stages, each of which works on its own batch
  double data_parallel = 1;           ///< groups of tensor ranks, each with its own sequences
  double expert_parallel = 1;         ///< GPUs over which a layer's experts are spread
  double expert_tensor_parallel = 1;  ///< GPUs that share each expert
};
/// The layout of such a server, with the other layout inputs in `told`.
Layout layout_of(const ServerDegrees& one, const Layout& told);

/// One way to deploy, with the batch that serves most requests; if none meets the targets, the smallest.
struct ServingDeployment : ServerDegrees {
  double replicas = 1;  ///< servers side by side
  double idle_gpus = 0;
  double batch_size = 1;   ///< sequences at once of each group of tensor ranks, over all stages
  double step_tokens = 0;  ///< most of a step; the fewest of those that serve as much
  double token_ms = 0;
  double token_low_ms = 0;
  double token_high_ms = 0;
  double first_token_ms = 0;
  double first_token_low_ms = 0;
  double first_token_high_ms = 0;
  double tokens_per_sec_per_user = 0;
  double output_tokens_per_sec_per_gpu = 0;
  Basis basis = Basis::estimated;  ///< of the bands
  double requests_per_sec = 0;     ///< of all GPUs
  double memory_gib = 0;
  double needed_replicas = 0;  ///< servers that serve the rate asked for; 0: none asked, or it misses a limit
  double needed_gpus = 0;      ///< of these
  double needed_gpus_high = 0;  ///< the same if every step takes as long as its band allows
  ServingVerdict verdict = ServingVerdict::does_not_fit;
};

/// What users get and GPUs deliver at one batch of one deployment.
struct ServingPoint : ServerDegrees {
  double tokens_per_sec_per_user = 0;
  double output_tokens_per_sec_per_gpu = 0;
  double batch_size = 1;
};

/// Every deployment that can exist, best first.
struct ServingPlan {
  bool found = false;
  bool stack_checked = false;  ///< whether deployments had to keep the stack's rules
  std::vector<ServingDeployment> deployments;
  std::vector<ServingPoint> frontier;  ///< none is beaten in both; the best for a user first
};

/// Memory of the fullest GPU of a deployment with its batch, requests at their end; GiB.
double served_memory_gib(const ServingPlanInputs& inputs, const ServingDeployment& one);

/// Whether it meets the targets.
bool meets_targets(const ServingDeployment& one);

/// Whether that rate is within error of the best.
bool within_error(double requests_per_sec, double most_per_sec);

/// What a deployment that meets the targets needs for a rate, from the number of its servers, which need not
/// be whole; 0: no rate is asked for.
void set_needed(ServingDeployment& one, double servers);

/// Sorts deployments, the best first and those that miss a target by how close they come, and marks among
/// those that meet all which is the best, ties with it or serves less.
void judge(std::vector<ServingDeployment>& all);

Outcome<ServingPlan> plan_serving(const ServingPlanInputs& inputs);

}  // namespace commcost
