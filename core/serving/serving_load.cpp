#include "core/serving/serving_load.h"

#include <algorithm>

#include "core/serving/loaded_server.h"

namespace commcost {
namespace {

constexpr std::size_t told_moments = 60;

// If requests arrive as steps end, every time scales with the steps.
RequestLatencies scaled(RequestLatencies times, double factor) {
  for (std::vector<double>* each : {&times.first_token, &times.token, &times.request})
    for (double& ms : *each) ms *= factor;
  return times;
}

constexpr double far_share = 0.99;

// The same requests with steps at their predicted times, or at the ends of their band.
struct Played {
  RequestLatencies expected;
  RequestLatencies quick;
  RequestLatencies slow;
};

RequestTimes times_of(const Played& played, std::vector<double> RequestLatencies::*of) {
  RequestTimes times;
  times.p50_ms = at_share(played.expected.*of, 0.5);
  times.p50_low_ms = std::min(times.p50_ms, at_share(played.quick.*of, 0.5));
  times.p50_high_ms = std::max(times.p50_ms, at_share(played.slow.*of, 0.5));
  times.p90_ms = at_share(played.expected.*of, 0.9);
  times.p95_ms = at_share(played.expected.*of, 0.95);
  times.p99_ms = at_share(played.expected.*of, far_share);
  times.p99_low_ms = std::min(times.p99_ms, at_share(played.quick.*of, far_share));
  times.p99_high_ms = std::max(times.p99_ms, at_share(played.slow.*of, far_share));
  return times;
}

// Means over the requests that arrived in each part of the time.
std::vector<LoadMoment> moments_of(const PlayedLoad& played, double cache_tokens) {
  const auto& [requests, load] = played;
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

Problem too_many_steps() {
  return {"step_tokens", ProblemCode::overflow,
          "Playing so many requests takes too many steps. Use fewer requests, or more tokens per step.",
          "some million chunks of prompts in all"};
}

// `banded`: whether it is also played with all steps at either end of their band.
Outcome<ServingLoad> load_of(const ServingLoadInputs& inputs, bool banded) {
  Outcome<LoadedServer> made = LoadedServer::made(inputs);
  if (!made) return made.problems();
  LoadedServer server = *std::move(made);
  const Job& job = server.job();
  const PlayedLoad played = server.played(inputs.requests_per_sec, 1, told_moments);
  const ServedLoad& load = played.load;
  if (!load.finished) return too_many_steps();
  Played times;
  times.expected = times.quick = times.slow = latencies_of(played);
  ServingLoad result;
  result.keeps_up = played.keeps_up();
  result.left_waiting_percent = 100 * load.left_waiting / static_cast<double>(played.requests.size());
  result.surely_keeps_up = result.keeps_up;
  const StepBand band = load_band(job);
  if (banded && (inputs.rate_follows_steps || inputs.requests_per_sec == 0)) {
    times.quick = scaled(times.expected, band.low);
    times.slow = scaled(times.expected, band.high);
  } else if (banded) {
    const PlayedLoad quicker = server.played(inputs.requests_per_sec, band.low, 1);
    const PlayedLoad slower = server.played(inputs.requests_per_sec, band.high, 1);
    if (!quicker.load.finished || !slower.load.finished) return too_many_steps();
    times.quick = latencies_of(quicker);
    times.slow = latencies_of(slower);
    result.surely_keeps_up = slower.keeps_up();
  }

  result.first_token = times_of(times, &RequestLatencies::first_token);
  result.token = times_of(times, &RequestLatencies::token);
  result.request = times_of(times, &RequestLatencies::request);
  result.cluster_gpus = static_cast<double>(gpus_needed(job.layout) * inputs.replicas);
  result.requests_per_sec =
      static_cast<double>(played.requests.size()) * 1e6 / load.end_us * server.servers();
  double output = 0;
  for (const ServedRequest& one : played.requests) output += one.output;
  result.output_tokens_per_sec_per_gpu = output * 1e6 / load.end_us * server.servers() / result.cluster_gpus;
  for (const ServedMoment& moment : load.moments) {
    const double share = moment.width_us / load.end_us;
    result.mean_sequences += moment.running * share;
    result.mean_waiting += moment.waiting * share;
  }
  result.cache_tokens = server.cache_tokens();
  result.preemptions = load.preemptions;
  result.steps = load.steps;
  result.moments = moments_of(played, server.cache_tokens());
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
