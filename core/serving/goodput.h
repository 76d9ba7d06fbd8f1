#pragma once

#include <cstdint>
#include <span>

#include "core/base/outcome.h"
#include "core/serving/loaded_server.h"
#include "core/serving/serving_load.h"

namespace commcost {

/// How long users may wait, and the share of requests this applies to.
struct ServiceLevel {
  double share = 0.99;        ///< of TTFT and of TPOT each
  double first_token_ms = 0;  ///< TTFT with its time in the queue; 0: any
  double token_ms = 0;        ///< TPOT; 0: any
};

/// The most requests per second at which a deployment keeps a service level, and what users see at that rate.
struct Goodput {
  double requests_per_sec = 0;  ///< of all servers together; 0: it keeps the level at no rate
  ServerSettings settings;      ///< with which it does
  ServingLoad load;  ///< at that rate, which follows its steps; if none is sustained, at the lowest tried
  StepBand band;     ///< of its times
  /// Servers that keep it at the rate of `inputs`, while up to four fewer do not, or have less capacity
  /// without a queue than the rate; 0: no rate is given, or none is sustained.
  double needed_replicas = 0;
};

/// Whole servers, at least one: a fraction counts as one more, unless it is only rounding.
double whole_servers(double servers);

/// Bisects the rates below `most_per_sec`, which the deployment serves without a queue, down to less than a
/// hundredth of it. Or every problem of its layout.
Outcome<Goodput> goodput(const ServingLoadInputs& inputs, const ServiceLevel& level, double most_per_sec);

/// The same with settings searched from those of `inputs`: fewer sequences at once, and these tokens per
/// step, ascending; none: as given. No neighbouring setting serves more.
Outcome<Goodput> goodput(const ServingLoadInputs& inputs, const ServiceLevel& level, double most_per_sec,
                         std::span<const std::int64_t> step_tokens);

}  // namespace commcost
