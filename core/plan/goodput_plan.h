#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/outcome.h"
#include "core/plan/serving_plan.h"
#include "core/serving/goodput.h"

namespace commcost {

/// The percentile of requests that limits apply to.
enum class LatencyPercentile { p50, p90, p95, p99 };
inline constexpr std::string_view latency_percentile_names[] = {"p50", "p90", "p95", "p99"};

/// A model to be served under load. Concurrency, batch, degrees and replicas are ignored, since they are
/// searched for, and so is the most tokens of a step if it is 0. The rate is the one to be served; 0: as much
/// as the GPUs can.
struct GoodputPlanInputs : ServingLoadInputs {
  GoodputPlanInputs() { job.work.step_tokens = 0; }

  std::int64_t cluster_gpus = 8;
  double most_token_ms = 50;          ///< TPOT; 0: any
  double most_first_token_ms = 1000;  ///< TTFT with its time in the queue; 0: any
  LatencyPercentile latency_percentile = LatencyPercentile::p99;

  bool operator==(const GoodputPlanInputs&) const = default;
};

/// A deployment's performance under load.
struct DeploymentLoad {
  bool simulated = false;       ///< false if its capacity is too small for the best or its ties
  double capacity_per_sec = 0;  ///< requests per second without a queue, of all GPUs
  RequestTimes first_token;     ///< TTFT at its goodput; at the lowest rate tried if that is 0
  RequestTimes token;           ///< TPOT, the same
};

/// Deployments by the load that they can serve. Rate and latencies of a simulated one are those of its
/// goodput, batch and step those with which it reaches it: no more sequences at once than plan_serving finds.
struct GoodputPlan {
  bool found = false;
  bool stack_checked = false;  ///< whether deployments had to keep the stack's rules
  double progress = 1;         ///< share of the simulations done, of those that may be needed
  std::vector<ServingDeployment> deployments;
  std::vector<DeploymentLoad> loads;   ///< of each
  std::vector<ServingPoint> frontier;  ///< without a queue
};

/// What was simulated earlier for the same inputs, in the order of capacity: a search continues after it.
class SimulatedDeployments {
 public:
  /// Switches to those inputs.
  void take(const GoodputPlanInputs& inputs);
  /// Without a queue.
  const Outcome<ServingPlan>& steady() const { return *steady_; }
  /// The deployment at that place in the order.
  const Outcome<Goodput>& at(std::size_t turn, const ServingDeployment& one);

 private:
  std::optional<GoodputPlanInputs> inputs_;
  std::optional<Outcome<ServingPlan>> steady_;
  std::vector<Outcome<Goodput>> simulated_;
};

/// The same inputs give the same plan, whatever is in `known`. Ends after that many simulations, 0: all.
Outcome<GoodputPlan> plan_goodput(const GoodputPlanInputs& inputs, std::int64_t simulations,
                                  SimulatedDeployments& known);

}  // namespace commcost
