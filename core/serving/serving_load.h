#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/serving/serving_step.h"

namespace commcost {

/// How lengths of prompts and answers spread around their means.
enum class LengthSpread {
  uniform,     ///< from the mean less the spread to the mean and the spread
  log_normal,  ///< the spread is the standard deviation
};
inline constexpr std::string_view length_spread_names[] = {"uniform", "log_normal"};

/// Which server a request goes to.
enum class RequestRouting {
  round_robin,  ///< one after another: a server's requests arrive more evenly than all of them do
  random,       ///< any: each server has its own Poisson arrivals
};
inline constexpr std::string_view request_routing_names[] = {"round_robin", "random"};

/// A deployment, and the requests that reach it. The job's batch is the limit on sequences at once of a group
/// of tensor ranks, its step tokens the limit per step.
struct ServingLoadInputs : ServingStepInputs {
  ServingLoadInputs();

  std::int64_t prompt_tokens = 1024;  ///< mean
  LengthSpread length_spread = LengthSpread::uniform;
  double length_spread_percent = 0;  ///< of the mean; 0: all alike
  double requests_per_sec = 0;       ///< of all servers together; 0: all come at once
  bool rate_follows_steps = false;   ///< rate is a share of capacity: longer steps, fewer requests
  std::int64_t max_concurrency = 0;  ///< requests in flight, over all servers; 0: any number
  std::int64_t requests = 10000;     ///< played on one server
  std::int64_t replicas = 1;
  RequestRouting request_routing = RequestRouting::round_robin;
  bool chunked_prefill = true;
  double prefix_hit_percent = 0;  ///< of each prompt, kept from an earlier one
  std::int64_t arrivals_seed = 1;

  bool operator==(const ServingLoadInputs&) const = default;
};

/// A time of requests at percentiles; the median and the last have bands.
struct RequestTimes {
  double p50_ms = 0;
  double p50_low_ms = 0;
  double p50_high_ms = 0;
  double p90_ms = 0;
  double p95_ms = 0;
  double p99_ms = 0;
  double p99_low_ms = 0;
  double p99_high_ms = 0;
};

/// The state of the server over a part of the time, means; times of the requests that arrived then.
struct LoadMoment {
  double time_s = 0;  ///< at its end, from the first arrival on
  double waiting = 0;
  double running = 0;
  double cache_percent = 0;
  double first_token_ms = 0;
  double token_ms = 0;
};

/// What users of a deployment see under load.
struct ServingLoad {
  RequestTimes first_token;  ///< TTFT
  RequestTimes token;        ///< TPOT
  RequestTimes request;      ///< until the last token
  double requests_per_sec = 0;
  double output_tokens_per_sec_per_gpu = 0;
  bool keeps_up = false;  ///< whether fewer than a twentieth of all requests wait when the last arrives
  double left_waiting_percent = 0;  ///< of all requests, those that wait then
  bool surely_keeps_up = false;     ///< also if every step takes as long as its band allows
  double mean_sequences = 0;
  double mean_waiting = 0;
  double cache_tokens = 0;  ///< that fit on a group of tensor ranks
  double preemptions = 0;
  double steps = 0;
  Basis basis = Basis::estimated;
  double cluster_gpus = 0;
  std::vector<LoadMoment> moments;
  std::vector<Assumption> assumed;
};

/// Requests played through a deployment, the same for the same seed; or every problem of its layout.
Outcome<ServingLoad> serving_load(const ServingLoadInputs& inputs);

/// The same without its bands, in a third of the time.
Outcome<ServingLoad> expected_load(const ServingLoadInputs& inputs);

}  // namespace commcost
