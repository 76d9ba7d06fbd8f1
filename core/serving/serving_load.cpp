#include "core/serving/serving_load.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/natural_log.h"
#include "core/base/number_text.h"
#include "core/base/split_mix.h"
#include "core/parallel/job_problems.h"
#include "core/serving/priced_server.h"

namespace commcost {
namespace {

constexpr std::size_t told_moments = 60;
// No published percentiles under load judge this: no band is narrower.
constexpr double least_low = 0.8;
constexpr double least_high = 1.3;

// Draws that are the same on every machine.
class Draws {
 public:
  Draws(std::int64_t seed, std::uint64_t stream)
      : bits_(SplitMix(static_cast<std::uint64_t>(seed) * 4 + stream).next()) {}

  /// Above 0, at most 1.
  double share() { return (static_cast<double>(bits_.next() >> 11) + 1) * 0x1p-53; }
  double exponential() { return -natural_log(share()); }
  /// Of mean 0 and variance 1, by Marsaglia's polar method: logarithm and root alone.
  double normal() {
    while (true) {
      const double x = 2 * share() - 1;
      const double y = 2 * share() - 1;
      const double square = x * x + y * y;
      if (square > 0 && square < 1) return x * std::sqrt(-2 * natural_log(square) / square);
    }
  }

 private:
  SplitMix bits_;
};

// Lengths about a mean, whole tokens.
class Lengths {
 public:
  Lengths(const ServingLoadInputs& inputs, double mean, std::uint64_t stream)
      : kind_(inputs.length_spread),
        mean_(mean),
        spread_(inputs.length_spread_percent / 100),
        draws_(inputs.arrivals_seed, stream) {
    const double variance = natural_log(1 + spread_ * spread_);
    deviation_ = std::sqrt(variance);
    middle_ = natural_log(mean_) - variance / 2;
  }

  double next() {
    const double length = kind_ == LengthSpread::uniform
                              ? mean_ * (1 + std::min(1.0, spread_) * (2 * draws_.share() - 1))
                              : natural_exp(middle_ + deviation_ * draws_.normal());
    return std::max(1.0, std::floor(length + 0.5));
  }

 private:
  LengthSpread kind_;
  double mean_;
  double spread_;
  Draws draws_;
  double deviation_ = 0;
  double middle_ = 0;
};

// A request that the cache cannot hold is cut, its prompt first.
std::vector<ServedRequest> drawn(const ServingLoadInputs& inputs, double requests_per_us,
                                 double cache_tokens) {
  Draws gaps(inputs.arrivals_seed, 0);
  Lengths prompts(inputs, static_cast<double>(inputs.prompt_tokens), 1);
  Lengths outputs(inputs, static_cast<double>(inputs.output_tokens), 2);
  std::vector<ServedRequest> requests(static_cast<std::size_t>(inputs.requests));
  double now_us = 0;
  for (ServedRequest& one : requests) {
    if (requests_per_us > 0) now_us += gaps.exponential() / requests_per_us;
    one.arrival_us = now_us;
    one.prompt = prompts.next();
    one.output = std::min(outputs.next(), cache_tokens - 1);
    one.prompt = std::min(one.prompt, cache_tokens - one.output);
    one.cached = std::min(one.prompt - 1, std::floor(one.prompt * inputs.prefix_hit_percent / 100));
  }
  return requests;
}

// What a group of tensor ranks can cache beside its weights.
double cache_tokens_of(const Job& job) {
  const double available = available_bytes(accelerator_of(job.machine));
  const auto kept = static_cast<double>(job.work.batch_size * job.work.sequence_length);
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [stage, memory] : stage_memories(job)) {
    const double a_token = memory.cache / kept;
    least = std::min(least, (available - memory.total() + memory.cache) / a_token);
  }
  return std::max(0.0, std::floor(least));
}

// The value at a share of ascending ones: no more of them lie below it.
double at_share(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  const double rank = std::ceil(share * static_cast<double>(sorted.size()));
  return sorted[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

// Of every request: its first token, the mean of the further ones, all of it.
struct Seen {
  std::vector<double> first_token;
  std::vector<double> token;
  std::vector<double> request;
};

Seen seen(const std::vector<ServedRequest>& requests, const ServedLoad& load) {
  Seen found;
  for (std::size_t place = 0; place < requests.size(); ++place) {
    const ServedRequest& one = requests[place];
    const ServedTimes& times = load.times[place];
    found.first_token.push_back((times.first_us - times.sent_us) * 1e-3);
    found.request.push_back((times.end_us - times.sent_us) * 1e-3);
    if (one.output > 1) found.token.push_back((times.end_us - times.first_us) / (one.output - 1) * 1e-3);
  }
  for (std::vector<double>* times : {&found.first_token, &found.token, &found.request})
    std::sort(times->begin(), times->end());
  return found;
}

// Where requests come as steps end, every time is so many times as long as steps are.
Seen scaled(Seen times, double factor) {
  for (std::vector<double>* each : {&times.first_token, &times.token, &times.request})
    for (double& ms : *each) ms *= factor;
  return times;
}

bool keeps_up(const ServedLoad& load) {
  return load.left_waiting * 20 < static_cast<double>(load.times.size());
}

constexpr double far_share = 0.99;

RequestTimes times_of(const Seen& expected, const Seen& quick, const Seen& slow,
                      std::vector<double> Seen::*of) {
  RequestTimes times;
  times.p50_ms = at_share(expected.*of, 0.5);
  times.p50_low_ms = std::min(times.p50_ms, at_share(quick.*of, 0.5));
  times.p50_high_ms = std::max(times.p50_ms, at_share(slow.*of, 0.5));
  times.p99_ms = at_share(expected.*of, far_share);
  times.p99_low_ms = std::min(times.p99_ms, at_share(quick.*of, far_share));
  times.p99_high_ms = std::max(times.p99_ms, at_share(slow.*of, far_share));
  return times;
}

// Means of the requests that arrived in each part of the time.
std::vector<LoadMoment> moments_of(const std::vector<ServedRequest>& requests, const ServedLoad& load,
                                   double cache_tokens) {
  std::vector<LoadMoment> moments;
  std::size_t place = 0;
  for (const ServedMoment& part : load.moments) {
    LoadMoment moment{
        part.end_us * 1e-6, part.waiting, part.running, 100 * part.cache_tokens / cache_tokens, 0, 0};
    double arrived = 0;
    double answered = 0;
    for (; place < requests.size() && load.times[place].sent_us <= part.end_us; ++place) {
      const ServedTimes& times = load.times[place];
      ++arrived;
      moment.first_token_ms += (times.first_us - times.sent_us) * 1e-3;
      if (requests[place].output <= 1) continue;
      ++answered;
      moment.token_ms += (times.end_us - times.first_us) / (requests[place].output - 1) * 1e-3;
    }
    moment.first_token_ms /= std::max(1.0, arrived);
    moment.token_ms /= std::max(1.0, answered);
    moments.push_back(moment);
  }
  return moments;
}

Job deployed(const ServingLoadInputs& inputs) {
  Job job = inputs.job;
  job.work.mode = Mode::decode;
  job.work.global_batch_size = 0;
  job.work.sequence_length = inputs.prompt_tokens + inputs.output_tokens;
  job.layout.data_parallel = job.layout.expert_parallel;
  return completed(job);
}

Problem too_long(double tokens, double cache_tokens) {
  return {"prompt_tokens", ProblemCode::out_of_range,
          "A request of " + text_of(tokens) + " tokens does not fit: the KV cache of this deployment holds " +
              text_of(cache_tokens) + ". Use more GPUs per server, or shorter requests.",
          "at most " + text_of(cache_tokens) + " tokens of prompt and answer"};
}

Problem too_many_steps() {
  return {"step_tokens", ProblemCode::overflow,
          "Playing so many requests takes too many steps. Use fewer requests, or more tokens per step.",
          "some million chunks of prompts in all"};
}

// `banded`: whether it is also played with every step as quick and as slow as may be.
Outcome<ServingLoad> load_of(const ServingLoadInputs& inputs, bool banded) {
  const Job job = deployed(inputs);
  if (!can_run(job)) return problems_of(job);
  const double cache_tokens = cache_tokens_of(job);
  const auto usual = static_cast<double>(job.work.sequence_length);
  if (usual > cache_tokens) return too_long(usual, cache_tokens);
  const double servers = static_cast<double>(inputs.replicas * job.layout.data_parallel);
  const std::vector<ServedRequest> requests =
      drawn(inputs, inputs.requests_per_sec * 1e-6 / servers, cache_tokens);
  double longest = 0;
  double longest_prompt = 0;
  double output = 0;
  for (const ServedRequest& one : requests) {
    longest = std::max(longest, one.prompt + one.output);
    longest_prompt = std::max(longest_prompt, one.prompt);
    output += one.output;
  }

  ServerLimits limits;
  limits.step_tokens = static_cast<double>(inputs.step_tokens);
  limits.chunked = inputs.chunked_prefill;
  limits.cache_tokens = cache_tokens;
  limits.in_flight = std::ceil(static_cast<double>(inputs.max_concurrency) / servers);
  limits.sequences = static_cast<double>(job.work.batch_size);
  if (limits.in_flight > 0) limits.sequences = std::min(limits.sequences, limits.in_flight);
  PricedServer pace(job, {limits.sequences, longest, std::max(limits.step_tokens, longest_prompt)});
  const StepBand band = serving_band(job);
  const auto played = [&](double scale, std::size_t moments) {
    pace.scale(scale);
    return simulated_server(requests, limits, pace, moments);
  };
  const ServedLoad load = played(1, told_moments);
  if (!load.finished) return too_many_steps();
  const Seen expected = seen(requests, load);
  ServingLoad result;
  result.keeps_up = keeps_up(load);
  result.surely_keeps_up = result.keeps_up;
  Seen quick = expected;
  Seen slow = expected;
  const double low = std::min(band.low, least_low);
  const double high = std::max(band.high, least_high);
  if (banded && (inputs.rate_follows_steps || inputs.requests_per_sec == 0)) {
    quick = scaled(expected, low);
    slow = scaled(expected, high);
  } else if (banded) {
    const ServedLoad quicker = played(low, 1);
    const ServedLoad slower = played(high, 1);
    if (!quicker.finished || !slower.finished) return too_many_steps();
    quick = seen(requests, quicker);
    slow = seen(requests, slower);
    result.surely_keeps_up = keeps_up(slower);
  }

  result.first_token = times_of(expected, quick, slow, &Seen::first_token);
  result.token = times_of(expected, quick, slow, &Seen::token);
  result.request = times_of(expected, quick, slow, &Seen::request);
  result.cluster_gpus = static_cast<double>(gpus_needed(job.layout) * inputs.replicas);
  result.requests_per_sec = static_cast<double>(requests.size()) * 1e6 / load.end_us * servers;
  result.output_tokens_per_sec_per_gpu = output * 1e6 / load.end_us * servers / result.cluster_gpus;
  for (const ServedMoment& moment : load.moments) {
    const double share = moment.width_us / load.end_us;
    result.mean_sequences += moment.running * share;
    result.mean_waiting += moment.waiting * share;
  }
  result.cache_tokens = cache_tokens;
  result.preemptions = load.preemptions;
  result.steps = load.steps;
  result.moments = moments_of(requests, load, cache_tokens);
  if (static_cast<double>(gpus_needed(job.layout)) > scale_up_domain(job.machine))
    result.assumed = assumptions_of(inputs.job.machine);
  return result;
}

}  // namespace

ServingLoadInputs::ServingLoadInputs() {
  job.work.batch_size = 256;
}

Outcome<ServingLoad> serving_load(const ServingLoadInputs& inputs) {
  return load_of(inputs, true);
}

Outcome<ServingLoad> expected_load(const ServingLoadInputs& inputs) {
  return load_of(inputs, false);
}

}  // namespace commcost
