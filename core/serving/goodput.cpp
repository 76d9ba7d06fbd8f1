#include "core/serving/goodput.h"

#include <algorithm>
#include <cmath>

namespace commcost {
namespace {

/// Of the highest rate: versions of a stack differ by more than one of these steps.
constexpr int rate_parts = 128;
/// The batch is moved by at least this share.
constexpr std::int64_t batch_parts = 32;

bool keeps(LoadedServer& server, const ServiceLevel& level, double requests_per_sec) {
  const PlayedLoad played = server.played(requests_per_sec, 1, 1);
  if (!played.load.finished || !played.keeps_up()) return false;
  const RequestLatencies latencies = latencies_of(played);
  const auto within = [&level](const std::vector<double>& ascending, double limit_ms) {
    return limit_ms <= 0 || at_share(ascending, level.share) <= limit_ms;
  };
  return within(latencies.first_token, level.first_token_ms) && within(latencies.token, level.token_ms);
}

// The highest rate that a deployment sustains, over its settings.
class GoodputSearch {
 public:
  GoodputSearch(const LoadedServer& server, const ServiceLevel& level, double most_per_sec,
                const ServerSettings& settings)
      : server_(server), level_(level), part_per_sec_(most_per_sec / rate_parts), settings_(settings) {
    LoadedServer as_given = server_.with(settings_);
    kept_ = kept_by(as_given, rate_parts) ? rate_parts : halved(as_given, 0, rate_parts);
  }

  // Every number of tokens, then the batch in large and in small steps, then the tokens again, as long as a
  // higher rate is sustained.
  void move(std::span<const std::int64_t> step_tokens, std::int64_t stages) {
    const auto whole = [stages](std::int64_t sequences) {
      return std::max(stages, sequences / stages * stages);
    };
    const std::int64_t least = whole(settings_.batch_size / batch_parts);
    const std::int64_t most = settings_.batch_size;
    for (const std::int64_t tokens : step_tokens) takes({most, tokens});
    for (std::int64_t by = whole(most / 4);; by = whole(by / 2)) {
      while (batch_moved(by, stages, most)) continue;
      if (by <= least) break;
    }
    while (tokens_moved(step_tokens)) continue;
  }

  double kept_per_sec() const { return kept_ * part_per_sec_; }
  double lowest_per_sec() const { return part_per_sec_; }
  const ServerSettings& settings() const { return settings_; }

 private:
  bool kept_by(LoadedServer& server, int parts) { return keeps(server, level_, parts * part_per_sec_); }

  // The most parts sustained, between `kept`, which are, and `broken`, which are not.
  int halved(LoadedServer& server, int kept, int broken) {
    while (broken - kept > 1) {
      const int middle = kept + (broken - kept) / 2;
      (kept_by(server, middle) ? kept : broken) = middle;
    }
    return kept;
  }

  // Other settings rarely serve much more: search from the next part on, further each time.
  bool takes(const ServerSettings& settings) {
    LoadedServer server = server_.with(settings);
    int kept = kept_;
    for (int further = 1; kept < rate_parts; further *= 2) {
      const int next = std::min(kept + further, rate_parts);
      if (!kept_by(server, next)) {
        kept = halved(server, kept, next);
        break;
      }
      kept = next;
    }
    if (kept == kept_) return false;
    kept_ = kept;
    settings_ = settings;
    return true;
  }

  bool batch_moved(std::int64_t by, std::int64_t least, std::int64_t most) {
    const auto [batch, tokens] = settings_;
    return (batch - by >= least && takes({batch - by, tokens})) ||
           (batch + by <= most && takes({batch + by, tokens}));
  }

  bool tokens_moved(std::span<const std::int64_t> step_tokens) {
    const auto [batch, tokens] = settings_;
    const auto above = std::upper_bound(step_tokens.begin(), step_tokens.end(), tokens);
    if (above != step_tokens.end() && takes({batch, *above})) return true;
    const auto from = std::lower_bound(step_tokens.begin(), step_tokens.end(), tokens);
    return from != step_tokens.begin() && takes({batch, *std::prev(from)});
  }

  const LoadedServer& server_;
  ServiceLevel level_;
  double part_per_sec_;
  ServerSettings settings_;
  int kept_ = 0;
};

// If this many times the estimated servers do not sustain a rate, no number does.
constexpr double most_times = 1000;

// How many fewer servers are tried if one fewer does not keep the level.
constexpr double most_fewer = 4;

// The number of servers, at least `least`, that keeps the level at a rate while a few fewer do not; close to
// the number at which each serves its own share: with fewer servers, each gets its requests less evenly.
double needed_replicas(LoadedServer& server, const ServiceLevel& level, double requests_per_sec,
                       double each_per_sec, double least) {
  const auto kept_by = [&](double replicas) {
    server.share_among(replicas);
    return keeps(server, level, requests_per_sec);
  };
  const double share = std::max(least, whole_servers(requests_per_sec / each_per_sec));
  double step = std::max(1.0, std::floor(share / rate_parts));
  double kept = share;
  double broken = least - 1;
  // From there down or up, further each time.
  if (kept_by(share)) {
    for (; broken < least && kept > least; step *= 2) {
      const double fewer = std::max(least, kept - step);
      (kept_by(fewer) ? kept : broken) = fewer;
    }
  } else {
    for (broken = share; !kept_by(kept = broken + step); step *= 2) {
      if (kept > most_times * share) return 0;
      broken = kept;
    }
  }
  while (kept - broken > 1) {
    const double middle = broken + std::floor((kept - broken) / 2);
    (kept_by(middle) ? kept : broken) = middle;
  }
  // Which requests meet is chance: a few servers fewer may do when one fewer does not.
  for (double fewer = kept - 2; fewer >= std::max(least, kept - most_fewer); --fewer)
    if (kept_by(fewer)) kept = fewer;
  return kept;
}

}  // namespace

double whole_servers(double servers) {
  return std::max(1.0, std::ceil(servers * (1 - 1e-12)));
}

Outcome<Goodput> goodput(const ServingLoadInputs& inputs, const ServiceLevel& level, double most_per_sec,
                         std::span<const std::int64_t> step_tokens) {
  Outcome<LoadedServer> made = LoadedServer::made(inputs);
  // Larger steps leave less memory for a request.
  for (; made && !step_tokens.empty(); step_tokens = step_tokens.first(step_tokens.size() - 1)) {
    ServingLoadInputs reaching = inputs;
    reaching.job.work.step_tokens = std::max(inputs.job.work.step_tokens, step_tokens.back());
    Outcome<LoadedServer> larger = LoadedServer::made(reaching);
    if (!larger) continue;
    made = std::move(larger);
    break;
  }
  if (!made) return made.problems();
  const LoadedServer server = *std::move(made);
  const ServerSettings given = {inputs.job.work.batch_size, inputs.job.work.step_tokens};
  GoodputSearch search(server, level, most_per_sec, given);
  if (!step_tokens.empty()) search.move(step_tokens, inputs.job.layout.pipeline_parallel);

  Goodput found;
  found.requests_per_sec = search.kept_per_sec();
  found.settings = search.settings();
  found.band = load_band(server.job());
  ServingLoadInputs at = inputs;
  at.job.work.batch_size = found.settings.batch_size;
  at.job.work.step_tokens = found.settings.step_tokens;
  at.requests_per_sec = found.requests_per_sec > 0 ? found.requests_per_sec : search.lowest_per_sec();
  at.rate_follows_steps = true;
  Outcome<ServingLoad> load = serving_load(at);
  if (!load) return load.problems();
  found.load = *std::move(load);
  if (inputs.requests_per_sec > 0 && found.requests_per_sec > 0) {
    LoadedServer best = server.with(found.settings);
    const auto replicas = static_cast<double>(inputs.replicas);
    // With fewer, a queue would grow without end, even if too few requests are played to show it.
    const double least = whole_servers(inputs.requests_per_sec * replicas / most_per_sec);
    found.needed_replicas =
        needed_replicas(best, level, inputs.requests_per_sec, found.requests_per_sec / replicas, least);
  }
  return found;
}

Outcome<Goodput> goodput(const ServingLoadInputs& inputs, const ServiceLevel& level, double most_per_sec) {
  return goodput(inputs, level, most_per_sec, {});
}

}  // namespace commcost
