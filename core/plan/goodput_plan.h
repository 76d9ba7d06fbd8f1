#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/outcome.h"
#include "core/plan/serving_plan.h"
#include "core/serving/goodput.h"

namespace commcost {

/// The percentile of requests at which limits hold.
enum class LatencyPercentile { p50, p90, p95, p99 };
inline constexpr std::string_view latency_percentile_names[] = {"p50", "p90", "p95", "p99"};

/// A model to be served under load. Concurrency, batch, degrees and replicas are not read: they are what is
/// sought, and most tokens of a step where they are 0. The rate is one to be served; 0: as much as the GPUs
/// can.
struct GoodputPlanInputs : ServingLoadInputs {
  GoodputPlanInputs() { job.work.step_tokens = 0; }

  std::int64_t cluster_gpus = 8;
  double most_token_ms = 50;          ///< TPOT; 0: any
  double most_first_token_ms = 1000;  ///< TTFT with its time in the queue; 0: any
  LatencyPercentile latency_percentile = LatencyPercentile::p99;

  bool operator==(const GoodputPlanInputs&) const = default;
};

/// What a deployment serves under load.
struct DeploymentLoad {
  bool simulated = false;       ///< not where its capacity is too little for the best or its ties
  double capacity_per_sec = 0;  ///< requests without a queue, of all GPUs
  RequestTimes first_token;     ///< TTFT at its goodput; at the lowest rate tried where that is 0
  RequestTimes token;           ///< TPOT, the same
};

/// Deployments by what they serve under load. Rate and latencies of a simulated one are those of its goodput,
/// batch and step those with which it has it: no more sequences at once than plan_serving finds.
struct GoodputPlan {
  bool found = false;
  bool stack_checked = false;  ///< whether deployments were held to the stack's rules
  double progress = 1;         ///< the share of simulations done, of those that may be needed
  std::vector<ServingDeployment> deployments;
  std::vector<DeploymentLoad> loads;   ///< of each
  std::vector<ServingPoint> frontier;  ///< without a queue
};

/// What was simulated for the same inputs before, in the order of capacity: a search goes on behind it.
class SimulatedDeployments {
 public:
  /// Goes on to those inputs.
  void take(const GoodputPlanInputs& inputs);
  /// Without a queue.
  const Outcome<ServingPlan>& steady() const { return *steady_; }
  /// Of the deployment whose turn it is after so many others.
  const Outcome<Goodput>& at(std::size_t turn, const ServingDeployment& one);

 private:
  std::optional<GoodputPlanInputs> inputs_;
  std::optional<Outcome<ServingPlan>> steady_;
  std::vector<Outcome<Goodput>> simulated_;
};

/// The same inputs give the same plan, whatever is in `known`. Ends after so many simulations, 0: all.
Outcome<GoodputPlan> plan_goodput(const GoodputPlanInputs& inputs, std::int64_t simulations,
                                  SimulatedDeployments& known);

}  // namespace commcost
