#include "core/plan/serving_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/base/units.h"
#include "core/parallel/job_problems.h"
#include "core/parallel/memory.h"
#include "core/parallel/stacks.h"
#include "core/serving/goodput.h"
#include "core/serving/serving_band.h"
#include "core/serving/serving_time.h"

namespace commcost {
namespace {

/// The most sequences of a group of tensor ranks on each stage.
constexpr std::int64_t most_batch = 4096;
/// Versions of one stack differ by this factor in a quarter of cases: smaller differences are not ranked.
constexpr double told_apart = 1.09;

Job server(const ServingPlanInputs& inputs, const ServerDegrees& degrees) {
  Job job = inputs.job;
  job.layout = layout_of(degrees, inputs.job.layout);
  job.work.global_batch_size = 0;
  job.work.mode = Mode::decode;
  job.work.batch_size = 1;
  job.work.sequence_length = inputs.prompt_tokens;
  return completed(job);
}

ServerDegrees degrees_of(const Layout& layout) {
  return {static_cast<double>(layout.tensor_parallel), static_cast<double>(layout.pipeline_parallel),
          static_cast<double>(layout.data_parallel), static_cast<double>(layout.expert_parallel),
          static_cast<double>(expert_tensor_degree(layout))};
}

// Time of a batch's step, and the part that a chunk in the same step does not pay again.
struct DecodeTime {
  double total_us = -1;
  double shared_us = 0;
};

// A server's times and memory over its batch, of which each stage has its own, with at most that many tokens
// per step. None of them ever falls as the batch grows: this lets a search find the best one without trying
// all.
class ServerOverBatches {
 public:
  ServerOverBatches(const ServingPlanInputs& inputs, const Job& job)
      : decode_(job), full_(job), stages_(job.layout.pipeline_parallel), decoded_(most_batch + 1) {
    output_ = static_cast<double>(inputs.output_tokens);
    decode_.work.sequence_length = inputs.prompt_tokens + inputs.output_tokens / 2;
    full_.work.sequence_length = inputs.prompt_tokens + inputs.output_tokens;
    available_ = available_bytes(accelerator_of(job.machine));
    Job prompt = job;
    prompt.work.mode = Mode::prefill;
    const auto tokens = static_cast<double>(inputs.prompt_tokens);
    const auto kept = static_cast<std::int64_t>(tokens * inputs.prefix_hit_percent / 100);
    prompt.work.sequence_length = std::max<std::int64_t>(1, inputs.prompt_tokens - kept);
    read_ = static_cast<double>(prompt.work.sequence_length);
    const ServingParts alone = serving_time(prompt).parts;
    prompt_us_ = alone.total_us();
    prompt_shared_us_ = shared_us(alone);
    most_token_us_ =
        inputs.most_token_ms > 0 ? inputs.most_token_ms * 1e3 : std::numeric_limits<double>::infinity();
    most_first_token_us_ = inputs.most_first_token_ms > 0 ? inputs.most_first_token_ms * 1e3
                                                          : std::numeric_limits<double>::infinity();
  }

  /// From then on a step has at most that many tokens, and the server reserves memory for their activations.
  void limit(std::int64_t step_tokens) {
    step_tokens_ = static_cast<double>(step_tokens);
    full_.work.step_tokens = step_tokens;
  }

  double memory_bytes(std::int64_t batch) {
    full_.work.batch_size = batch * stages_;
    return fullest(stage_memories(full_)).memory.total();
  }
  // In memory, and in a step with a token for each.
  bool fits(std::int64_t batch) {
    return (batch == 1 || sequences(batch) <= step_tokens_) && memory_bytes(batch) <= available_;
  }
  bool fits_memory(std::int64_t batch) { return memory_bytes(batch) <= available_; }

  // In a steady state, as many prompts are read as answers end. A step that reads one reads the weights and
  // starts its kernels for both, as a server under load does. Each further chunk of a prompt does so once
  // more.
  double token_us(std::int64_t batch) {
    const DecodeTime& step = decoded(batch);
    const double chunks = chunks_beside(sequences(batch));
    const double prompts = std::min(static_cast<double>(batch) / output_, most_prompts());
    return step.total_us + prompts * in_chunks_us(chunks) -
           std::min(prompts * chunks, 1.0) * std::min(step.shared_us, prompt_shared_us_);
  }
  // Steps from a request joining the batch to its last token: its chunks are read one per step, and all
  // requests share the tokens of a step.
  double steps(std::int64_t batch) const {
    return std::max(output_ - 1 + chunks_beside(sequences(batch)),
                    sequences(batch) * (read_ + output_) / step_tokens_);
  }
  double first_token_us() const { return in_chunks_us(chunks_beside(0)); }
  bool first_token_in_time() const { return first_token_us() <= most_first_token_us_; }
  bool in_time(double token_us) const { return token_us <= most_token_us_; }

 private:
  double sequences(std::int64_t batch) const { return static_cast<double>(batch * stages_); }
  // Chunks of a prompt, in steps with a token for each of that many sequences.
  double chunks_beside(double decoding) const {
    return std::ceil(read_ / std::max(1.0, step_tokens_ - decoding));
  }
  double in_chunks_us(double chunks) const { return prompt_us_ + (chunks - 1) * prompt_shared_us_; }
  // The most prompts in a step of a stage.
  double most_prompts() const { return step_tokens_ / (static_cast<double>(stages_) * (read_ + output_)); }
  const DecodeTime& decoded(std::int64_t batch) {
    DecodeTime& known = decoded_[static_cast<std::size_t>(batch)];
    if (known.total_us >= 0) return known;
    decode_.work.batch_size = batch;
    const ServingParts parts = serving_time(decode_).parts;
    return known = {parts.total_us(), shared_us(parts)};
  }

  Job decode_;
  Job full_;
  std::int64_t stages_;
  std::vector<DecodeTime> decoded_;  // by batch
  double step_tokens_ = 1;
  double output_ = 1;
  double read_ = 1;  // tokens of a prompt not kept from an earlier one
  double available_ = 0;
  double prompt_us_ = 0;
  double prompt_shared_us_ = 0;
  double most_token_us_ = 0;
  double most_first_token_us_ = 0;
};

// A batch, the time of a token at it, and of a request.
struct BatchTime {
  std::int64_t batch = 1;
  double token_us = 0;
  double request_us = 0;

  double rate() const { return static_cast<double>(batch) / request_us; }
};

BatchTime timed(ServerOverBatches& server, std::int64_t batch) {
  const double token_us = server.token_us(batch);
  return {batch, token_us, server.steps(batch) * token_us};
}

// The greatest batch from `least` on for which `holds`, which is true for `least` and for none beyond the
// first batch for which it is false.
template <class Holds>
std::int64_t greatest_that(std::int64_t least, Holds holds) {
  std::int64_t beyond = most_batch + 1;
  while (beyond - least > 1) {
    const std::int64_t middle = least + (beyond - least) / 2;
    (holds(middle) ? least : beyond) = middle;
  }
  return least;
}

// The batch between two that serves most, the smaller of equals. No batch between them serves more than the
// upper one would in the lower one's time.
void best_between(ServerOverBatches& server, const BatchTime& low, const BatchTime& high, BatchTime& best) {
  if (high.batch - low.batch < 2) return;
  if (static_cast<double>(high.batch - 1) / low.request_us < best.rate()) return;
  const BatchTime middle = timed(server, low.batch + (high.batch - low.batch) / 2);
  const bool better =
      middle.rate() > best.rate() || (middle.rate() == best.rate() && middle.batch < best.batch);
  if (better) best = middle;
  best_between(server, middle, high, best);
  best_between(server, low, middle, best);
}

// Of all whole batches that fit and meet the limits, the one that serves most; the smallest if there is none.
BatchTime best_batch(ServerOverBatches& server) {
  const BatchTime one = timed(server, 1);
  if (!server.fits(1) || !server.in_time(one.token_us)) return one;
  const std::int64_t fitting = greatest_that(1, [&](std::int64_t batch) { return server.fits(batch); });
  const std::int64_t most = greatest_that(
      1, [&](std::int64_t batch) { return batch <= fitting && server.in_time(server.token_us(batch)); });
  const BatchTime last = timed(server, most);
  BatchTime best = last.rate() > one.rate() ? last : one;
  best_between(server, one, last, best);
  return best;
}

// The limits on tokens per step that are tried, ascending: a lower one means more chunks of a prompt, a
// higher one takes memory from the cache.
std::span<const std::int64_t> tried_steps(const ServingPlanInputs& inputs) {
  const std::int64_t& given = inputs.job.work.step_tokens;
  return given > 0 ? std::span(&given, 1) : std::span(tried_step_tokens);
}

// A batch with the tokens per step at which it serves most.
struct SteppedBatch : BatchTime {
  std::int64_t step_tokens = 1;
  ServingVerdict verdict = ServingVerdict::does_not_fit;
};

SteppedBatch at_steps(ServerOverBatches& server, std::int64_t step_tokens) {
  server.limit(step_tokens);
  const BatchTime best = best_batch(server);
  const ServingVerdict verdict = !server.fits_memory(best.batch)  ? ServingVerdict::does_not_fit
                                 : !server.first_token_in_time()  ? ServingVerdict::first_token_too_slow
                                 : !server.in_time(best.token_us) ? ServingVerdict::token_too_slow
                                                                  : ServingVerdict::less_throughput;
  return {best, step_tokens, verdict};
}

// Of all limits on tokens per step, the one with which the best batch serves most; of equals the lowest,
// which keeps the pauses between tokens short. The server has it from then on.
SteppedBatch best_steps(ServerOverBatches& server, const ServingPlanInputs& inputs) {
  SteppedBatch best;
  bool first = true;
  for (const std::int64_t tokens : tried_steps(inputs)) {
    const SteppedBatch one = at_steps(server, tokens);
    if (first || one.verdict < best.verdict || (one.verdict == best.verdict && one.rate() > best.rate()))
      best = one;
    first = false;
  }
  server.limit(best.step_tokens);
  return best;
}

// Its requests in a steady state.
ServingDeployment deployment(const ServingPlanInputs& inputs, const Job& job, ServerOverBatches& server) {
  const SteppedBatch best = best_steps(server, inputs);
  const Layout& layout = job.layout;
  const auto sequences = static_cast<double>(best.batch * layout.pipeline_parallel);
  const auto output = static_cast<double>(inputs.output_tokens);
  const auto gpus = static_cast<std::int64_t>(gpus_needed(layout));
  const StepBand band = serving_band(job);
  ServingDeployment found;
  static_cast<ServerDegrees&>(found) = degrees_of(layout);
  found.replicas = static_cast<double>(inputs.cluster_gpus / gpus);
  found.idle_gpus = static_cast<double>(inputs.cluster_gpus % gpus);
  found.batch_size = sequences;
  found.step_tokens = static_cast<double>(best.step_tokens);
  found.basis = band.basis;
  found.token_ms = best.token_us * 1e-3;
  found.token_low_ms = found.token_ms * band.low;
  found.token_high_ms = found.token_ms * band.high;
  found.first_token_ms = server.first_token_us() * 1e-3;
  found.first_token_low_ms = found.first_token_ms * band.low;
  found.first_token_high_ms = found.first_token_ms * band.high;
  found.tokens_per_sec_per_user = 1e3 / found.token_ms;
  const double served = sequences * static_cast<double>(layout.data_parallel) * found.replicas;
  found.requests_per_sec = served * 1e6 / best.request_us;
  found.output_tokens_per_sec_per_gpu =
      found.requests_per_sec * output / static_cast<double>(inputs.cluster_gpus);
  found.memory_gib = server.memory_bytes(best.batch) / gib;
  found.verdict = best.verdict;
  if (found.requests_per_sec > 0)
    set_needed(found, inputs.requests_per_sec * found.replicas / found.requests_per_sec);
  return found;
}

// What fits of a deployment whose first token is in time, with that many tokens per step: at two batches from
// each power of two to the next, at `own`, by which it is judged, and at the greatest.
void add_points(const ServingPlanInputs& inputs, const Job& job, ServerOverBatches& server, std::int64_t own,
                std::vector<ServingPoint>& points) {
  if (!server.first_token_in_time() || !server.fits(1)) return;
  const Layout& layout = job.layout;
  const auto gpus = static_cast<std::int64_t>(gpus_needed(layout));
  const double groups = static_cast<double>(layout.data_parallel * (inputs.cluster_gpus / gpus));
  const auto add = [&](std::int64_t batch) {
    ServingPoint point;
    const BatchTime time = timed(server, batch);
    point.tokens_per_sec_per_user = 1e6 / time.token_us;
    point.batch_size = static_cast<double>(batch * layout.pipeline_parallel);
    point.output_tokens_per_sec_per_gpu = point.batch_size * groups * 1e6 / time.request_us *
                                          static_cast<double>(inputs.output_tokens) /
                                          static_cast<double>(inputs.cluster_gpus);
    static_cast<ServerDegrees&>(point) = degrees_of(layout);
    points.push_back(point);
  };
  const std::int64_t greatest = greatest_that(1, [&](std::int64_t batch) { return server.fits(batch); });
  for (std::int64_t batch = 1; batch < greatest; batch += std::max<std::int64_t>(1, batch / 2)) add(batch);
  add(greatest);
  if (server.fits(own)) add(own);
}

// Those that no other beats in both.
std::vector<ServingPoint> frontier_of(std::vector<ServingPoint> points) {
  std::stable_sort(points.begin(), points.end(), [](const ServingPoint& one, const ServingPoint& other) {
    if (one.tokens_per_sec_per_user != other.tokens_per_sec_per_user)
      return one.tokens_per_sec_per_user > other.tokens_per_sec_per_user;
    return one.output_tokens_per_sec_per_gpu > other.output_tokens_per_sec_per_gpu;
  });
  double most = 0;
  std::erase_if(points, [&most](const ServingPoint& point) {
    if (point.output_tokens_per_sec_per_gpu <= most) return true;
    most = point.output_tokens_per_sec_per_gpu;
    return false;
  });
  return points;
}

// Degrees in powers of two. Pipeline stages are tried only for servers in which every GPU holds a slice of
// each expert.
ServingPlan deployments(const ServingPlanInputs& inputs) {
  ServingPlan found;
  const std::int64_t gpus = inputs.cluster_gpus;
  const auto add = [&](std::int64_t tensor, std::int64_t stages, std::int64_t experts) {
    const Job job = server(inputs, degrees_of(server_layout(tensor, stages, experts)));
    if (!can_run(job) || broken_ability(job) != nullptr) return;
    ServerOverBatches batches(inputs, job);
    const ServingDeployment& own = found.deployments.emplace_back(deployment(inputs, job, batches));
    for (const std::int64_t tokens : tried_steps(inputs)) {
      batches.limit(tokens);
      add_points(inputs, job, batches, std::llround(own.batch_size / own.pipeline_parallel), found.frontier);
    }
  };
  for (std::int64_t tensor = 1; tensor <= gpus; tensor *= 2) {
    add(tensor, 1, 1);
    if (has_experts(inputs.job.model))
      for (std::int64_t experts = std::max<std::int64_t>(2, tensor); experts <= gpus; experts *= 2)
        add(tensor, 1, experts);
    for (std::int64_t stages = 2; stages <= gpus / tensor; stages *= 2) add(tensor, stages, 1);
  }
  found.frontier = frontier_of(std::move(found.frontier));
  return found;
}

}  // namespace

Layout layout_of(const ServerDegrees& one, const Layout& told) {
  Layout layout = told;
  layout.tensor_parallel = static_cast<std::int64_t>(one.tensor_parallel);
  layout.pipeline_parallel = static_cast<std::int64_t>(one.pipeline_parallel);
  layout.expert_parallel = static_cast<std::int64_t>(one.expert_parallel);
  return server_layout(layout);
}

double served_memory_gib(const ServingPlanInputs& inputs, const ServingDeployment& one) {
  Job job = server(inputs, one);
  job.work.step_tokens = static_cast<std::int64_t>(one.step_tokens);
  job.work.sequence_length = inputs.prompt_tokens + inputs.output_tokens;
  job.work.batch_size = static_cast<std::int64_t>(one.batch_size);
  return fullest(stage_memories(job)).memory.total() / gib;
}

bool meets_targets(const ServingDeployment& one) {
  return one.verdict <= ServingVerdict::less_throughput;
}

bool within_error(double requests_per_sec, double most_per_sec) {
  return requests_per_sec * told_apart >= most_per_sec;
}

void set_needed(ServingDeployment& one, double servers) {
  if (!meets_targets(one) || servers <= 0) return;
  const double gpus = one.tensor_parallel * one.pipeline_parallel * one.data_parallel;
  one.needed_replicas = whole_servers(servers);
  one.needed_gpus = gpus * one.needed_replicas;
  const double longer = one.token_high_ms / one.token_ms;
  one.needed_gpus_high = gpus * std::max(one.needed_replicas, whole_servers(longer * servers));
}

// How far a deployment exceeds the limits that it misses; 0 if it meets all.
double missed(const ServingDeployment& one) {
  switch (one.verdict) {
    case ServingVerdict::token_too_slow:
      return one.token_ms;
    case ServingVerdict::first_token_too_slow:
      return one.first_token_ms;
    case ServingVerdict::does_not_fit:
      return one.memory_gib;
    default:
      return 0;
  }
}

void judge(std::vector<ServingDeployment>& all) {
  for (ServingDeployment& one : all)
    if (meets_targets(one)) one.verdict = ServingVerdict::less_throughput;
  std::stable_sort(all.begin(), all.end(), [](const ServingDeployment& one, const ServingDeployment& other) {
    if (one.verdict != other.verdict) return one.verdict < other.verdict;
    if (missed(one) != missed(other)) return missed(one) < missed(other);
    if (one.requests_per_sec != other.requests_per_sec) return one.requests_per_sec > other.requests_per_sec;
    if (one.pipeline_parallel != other.pipeline_parallel)
      return one.pipeline_parallel < other.pipeline_parallel;
    return one.tensor_parallel < other.tensor_parallel;
  });
  if (all.empty() || !meets_targets(all.front())) return;
  const double most = all.front().requests_per_sec;
  for (ServingDeployment& one : all)
    if (meets_targets(one) && within_error(one.requests_per_sec, most)) one.verdict = ServingVerdict::tie;
  all.front().verdict = ServingVerdict::best;
}

Outcome<ServingPlan> plan_serving(const ServingPlanInputs& given) {
  ServingPlanInputs inputs = given;
  inputs.job.model = completed(given.job.model);
  const Job alone = server(inputs, ServerDegrees{});
  if (!can_run(alone)) return problems_of(alone);
  ServingPlan plan = deployments(inputs);
  if (plan.deployments.empty() && broken_ability(alone) != nullptr)
    return Problems{problem_of_stack(alone, "deployment", recipes_for(alone, [](const Job& job) {
                                       return broken_ability(job) == nullptr;
                                     }))};
  plan.stack_checked = is_checked(alone);
  judge(plan.deployments);
  plan.found = !plan.deployments.empty() && plan.deployments.front().verdict == ServingVerdict::best;
  return plan;
}

}  // namespace commcost
