#pragma once

#include <cstdint>
#include <span>

#include "core/base/outcome.h"
#include "core/serving/loaded_server.h"
#include "core/serving/serving_load.h"

namespace commcost {

/// What users may wait, and the share of requests that may not wait longer.
struct ServiceLevel {
  double share = 0.99;        ///< of TTFT and of TPOT each
  double first_token_ms = 0;  ///< TTFT with its time in the queue; 0: any
  double token_ms = 0;        ///< TPOT; 0: any
};

/// The most requests a second at which a deployment keeps a service level, and what users see then.
struct Goodput {
  double requests_per_sec = 0;  ///< of all servers together; 0: it keeps the level at no rate
  ServerSettings settings;      ///< with which it does
  ServingLoad load;  ///< at that rate, which follows its steps; where none is kept, at the lowest tried
  StepBand band;     ///< of its times
  /// That keep it at the rate of `inputs`, where up to four fewer do not, or have less than it without a
  /// queue; 0: none is given, or no rate is kept.
  double needed_replicas = 0;
};

/// Whole servers, at least one: a part of one is one more, but what rounding leaves of one is none.
double whole_servers(double servers);

/// Halves the rates below `most_per_sec`, which the deployment serves without a queue, down to less than a
/// hundredth of it. Or every problem of its layout.
Outcome<Goodput> goodput(const ServingLoadInputs& inputs, const ServiceLevel& level, double most_per_sec);

/// The same with settings that are sought from those of `inputs` on: fewer sequences at once, and these
/// tokens of a step, ascending; none: as given. None of their neighbours serves more.
Outcome<Goodput> goodput(const ServingLoadInputs& inputs, const ServiceLevel& level, double most_per_sec,
                         std::span<const std::int64_t> step_tokens);

}  // namespace commcost
