#include "core/serving/loaded_server.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/natural_log.h"
#include "core/base/number_text.h"
#include "core/base/split_mix.h"
#include "core/parallel/job_problems.h"
#include "core/parallel/memory.h"

namespace commcost {
namespace {

// Draws that are the same on every machine.
class Draws {
 public:
  Draws(std::int64_t seed, std::uint64_t stream)
      : bits_(SplitMix(static_cast<std::uint64_t>(seed) * 4 + stream).next()) {}

  /// Above 0, at most 1.
  double share() { return (static_cast<double>(bits_.next() >> 11) + 1) * 0x1p-53; }
  /// The sum of that many exponential draws of mean 1.
  double erlang(int count) {
    double product = 1;
    for (int one = 0; one < count; ++one) product *= share();
    return -natural_log(std::max(product, 1e-300));
  }
  /// Mean 0 and variance 1, by Marsaglia's polar method: only logarithm and root.
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

// With more servers than this, each gets its requests about as evenly.
constexpr double most_turns = 64;

// What reaches one of `servers`, at its share of the rate. A request that the cache can't hold is cut, its
// prompt first.
std::vector<ServedRequest> drawn(const ServingLoadInputs& inputs, double requests_per_us, double servers,
                                 double cache_tokens) {
  const int turns = inputs.request_routing == RequestRouting::round_robin
                        ? static_cast<int>(std::min(servers, most_turns))
                        : 1;
  Draws gaps(inputs.arrivals_seed, 0);
  Lengths prompts(inputs, static_cast<double>(inputs.prompt_tokens), 1);
  Lengths outputs(inputs, static_cast<double>(inputs.output_tokens), 2);
  std::vector<ServedRequest> requests(static_cast<std::size_t>(inputs.requests));
  double now_us = 0;
  for (ServedRequest& one : requests) {
    if (requests_per_us > 0) now_us += gaps.erlang(turns) / (turns * requests_per_us);
    one.arrival_us = now_us;
    one.prompt = prompts.next();
    one.output = std::min(outputs.next(), cache_tokens - 1);
    one.prompt = std::min(one.prompt, cache_tokens - one.output);
    one.cached = std::min(one.prompt - 1, std::floor(one.prompt * inputs.prefix_hit_percent / 100));
  }
  return requests;
}

// What a group of tensor ranks can cache next to its weights.
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

Job deployed(const ServingLoadInputs& inputs) {
  Job job = inputs.job;
  job.work.mode = Mode::decode;
  job.work.global_batch_size = 0;
  job.work.sequence_length = inputs.prompt_tokens + inputs.output_tokens;
  if (!inputs.chunked_prefill) job.work.step_tokens = std::max(job.work.step_tokens, inputs.prompt_tokens);
  job.layout = server_layout(inputs.job.layout);
  return completed(job);
}

Problem too_long(double tokens, double cache_tokens) {
  return {"prompt_tokens", ProblemCode::out_of_range,
          "A request of " + text_of(tokens) + " tokens does not fit: the KV cache of this deployment holds " +
              text_of(cache_tokens) + ". Use more GPUs per server, or shorter requests.",
          "at most " + text_of(cache_tokens) + " tokens of prompt and answer"};
}

// The most that is played at any rate: sequences at once, and what a step may reach.
ServerLimits limits_of(const ServingLoadInputs& inputs, const Job& job, double servers, double cache_tokens) {
  ServerLimits limits;
  limits.step_tokens = static_cast<double>(inputs.job.work.step_tokens);
  limits.chunked = inputs.chunked_prefill;
  limits.cache_tokens = cache_tokens;
  limits.in_flight = std::ceil(static_cast<double>(inputs.max_concurrency) / servers);
  limits.sequences = static_cast<double>(job.work.batch_size);
  if (limits.in_flight > 0) limits.sequences = std::min(limits.sequences, limits.in_flight);
  return limits;
}

PricedReach reach_of(const ServingLoadInputs& inputs, const ServerLimits& limits) {
  double longest = 0;
  double longest_prompt = 0;
  for (const ServedRequest& one : drawn(inputs, 0, 1, limits.cache_tokens)) {
    longest = std::max(longest, one.prompt + one.output);
    longest_prompt = std::max(longest_prompt, one.prompt);
  }
  return {limits.sequences, longest, std::max(limits.step_tokens, longest_prompt)};
}

double servers_of(const ServingLoadInputs& inputs, const Job& job) {
  return static_cast<double>(inputs.replicas * job.layout.data_parallel);
}

}  // namespace

bool PlayedLoad::keeps_up() const {
  return load.left_waiting * 20 < static_cast<double>(requests.size());
}

RequestLatencies latencies_of(const PlayedLoad& played) {
  RequestLatencies found;
  for (std::size_t place = 0; place < played.requests.size(); ++place) {
    const ServedRequest& one = played.requests[place];
    const ServedTimes& times = played.load.times[place];
    found.first_token.push_back((times.first_us - times.sent_us) * 1e-3);
    found.request.push_back((times.end_us - times.sent_us) * 1e-3);
    if (one.output > 1) found.token.push_back((times.end_us - times.first_us) / (one.output - 1) * 1e-3);
  }
  for (std::vector<double>* times : {&found.first_token, &found.token, &found.request})
    std::sort(times->begin(), times->end());
  return found;
}

double at_share(const std::vector<double>& ascending, double share) {
  if (ascending.empty()) return 0;
  const double rank = std::ceil(share * static_cast<double>(ascending.size()));
  return ascending[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

Outcome<LoadedServer> LoadedServer::made(const ServingLoadInputs& inputs) {
  if (Problems problems = server_problems(inputs.job); !problems.empty()) return problems;
  const Job job = deployed(inputs);
  if (!can_run(job)) return problems_of(job);
  const double cache_tokens = cache_tokens_of(job);
  const auto usual = static_cast<double>(job.work.sequence_length);
  if (usual > cache_tokens) return too_long(usual, cache_tokens);
  return LoadedServer(inputs, job, cache_tokens);
}

LoadedServer::LoadedServer(const ServingLoadInputs& inputs, const Job& job, double cache_tokens)
    : inputs_(inputs),
      job_(job),
      cache_tokens_(cache_tokens),
      servers_(servers_of(inputs, job_)),
      limits_(limits_of(inputs, job_, servers_, cache_tokens)),
      pace_(job_, reach_of(inputs, limits_)) {}

LoadedServer LoadedServer::with(const ServerSettings& settings) const {
  LoadedServer other = *this;
  other.inputs_.job.work.step_tokens = settings.step_tokens;
  other.inputs_.job.work.batch_size = settings.batch_size;
  other.job_ = deployed(other.inputs_);
  other.cache_tokens_ = cache_tokens_of(other.job_);
  other.limits_ = limits_of(other.inputs_, other.job_, other.servers_, other.cache_tokens_);
  return other;
}

void LoadedServer::share_among(double replicas) {
  servers_ = replicas * static_cast<double>(job_.layout.data_parallel);
}

PlayedLoad LoadedServer::played(double requests_per_sec, double scale, std::size_t moments) {
  pace_.scale(scale);
  PlayedLoad played{drawn(inputs_, requests_per_sec * 1e-6 / servers_, servers_, cache_tokens_), {}};
  played.load = simulated_server(played.requests, limits_, pace_, moments);
  return played;
}

}  // namespace commcost
