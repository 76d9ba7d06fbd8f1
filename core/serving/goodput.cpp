#include "core/serving/goodput.h"

#include <algorithm>
#include <cmath>

#include "core/serving/loaded_server.h"

namespace commcost {
namespace {

/// To less than a hundredth of the highest rate: versions of a stack differ by more.
constexpr int halvings = 7;

bool keeps(LoadedServer& server, const ServiceLevel& level, double requests_per_sec) {
  const PlayedLoad played = server.played(requests_per_sec, 1, 1);
  if (!played.load.finished || !played.keeps_up()) return false;
  const RequestLatencies latencies = latencies_of(played);
  const auto within = [&level](const std::vector<double>& ascending, double limit_ms) {
    return limit_ms <= 0 || at_share(ascending, level.share) <= limit_ms;
  };
  return within(latencies.first_token, level.first_token_ms) && within(latencies.token, level.token_ms);
}

/// As near as the highest rate is found.
constexpr double needed_parts = 128;
constexpr int most_tries = 16;

// Servers that keep the level at a rate, close to as many as each keeps its share of `most_per_sec`: of fewer
// servers each has its requests less evenly.
double needed_replicas(LoadedServer& server, const ServiceLevel& level, double requests_per_sec,
                       double each_per_sec) {
  const auto kept_by = [&](double replicas) {
    server.share_among(replicas);
    return keeps(server, level, requests_per_sec);
  };
  double count = std::ceil(requests_per_sec / each_per_sec);
  const double step = std::max(1.0, std::floor(count / needed_parts));
  if (kept_by(count)) {
    for (int tries = 0; tries < most_tries && count > step && kept_by(count - step); ++tries) count -= step;
  } else {
    for (int tries = 0; tries < most_tries; ++tries) {
      count += step;
      if (kept_by(count)) break;
    }
  }
  return count;
}

}  // namespace

Outcome<Goodput> goodput(const ServingLoadInputs& inputs, const ServiceLevel& level, double most_per_sec) {
  Outcome<LoadedServer> made = LoadedServer::made(inputs);
  if (!made) return made.problems();
  LoadedServer server = *std::move(made);
  double kept = keeps(server, level, most_per_sec) ? most_per_sec : 0;
  double broken = most_per_sec;
  for (int halving = 0; halving < halvings && kept < most_per_sec; ++halving) {
    const double middle = (kept + broken) / 2;
    (keeps(server, level, middle) ? kept : broken) = middle;
  }
  ServingLoadInputs at = inputs;
  at.requests_per_sec = kept > 0 ? kept : broken;
  at.rate_follows_steps = true;
  Outcome<ServingLoad> load = serving_load(at);
  if (!load) return load.problems();
  Goodput found{kept, *std::move(load), load_band(server.job())};
  if (inputs.requests_per_sec > 0 && kept > 0)
    found.needed_replicas =
        needed_replicas(server, level, inputs.requests_per_sec, kept / static_cast<double>(inputs.replicas));
  return found;
}

}  // namespace commcost
