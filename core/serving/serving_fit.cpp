#include "core/serving/serving_fit.h"

#include <algorithm>
#include <cmath>

#include "core/base/least_squares.h"
#include "core/base/natural_log.h"
#include "core/base/statistics.h"

namespace commcost {

// Prior widths: roughly the spread among published stacks (core/parallel/recipes.cpp).
const std::array<ServingKnob, serving_knob_count> serving_knobs = {{
    {"gemm_time_scale", [](Stack& stack) -> double& { return stack.gemm_time_scale; }, true, 0.2, 0.3, 10},
    {"grouped_gemm_time_scale", [](Stack& stack) -> double& { return stack.grouped_gemm_time_scale; }, true,
     0.3, 0.3, 10},
    {"attention_time_scale", [](Stack& stack) -> double& { return stack.attention_time_scale; }, true, 0.3,
     0.3, 10},
    {"kernel_start_us", [](Stack& stack) -> double& { return stack.serving.kernel_start_us; }, false, 3, 0,
     1e3},
    {"sequence_host_us", [](Stack& stack) -> double& { return stack.serving.sequence_host_us; }, false, 40, 0,
     1e4},
    {"allreduce_start_us", [](Stack& stack) -> double& { return stack.serving.allreduce_start_us; }, false, 6,
     0, 1e3},
    {"host_us_per_kernel", [](Stack& stack) -> double& { return stack.host_us_per_kernel; }, false, 5, 0,
     1e3},
}};

Stack moved(Stack stack, const ServingMoves& moves) {
  for (std::size_t at = 0; at < serving_knob_count; ++at) {
    if (moves[at] == 0) continue;
    const ServingKnob& knob = serving_knobs[at];
    double& value = knob.of(stack);
    const double by = moves[at] * knob.doubt;
    value = std::clamp(knob.scales ? value * natural_exp(by) : value + by, knob.least, knob.greatest);
  }
  return stack;
}

namespace {

// How far two measurements of one load differ, and how well its queue can be predicted: TTFT is mostly
// waiting.
constexpr double token_noise = 0.035;
constexpr double first_token_noise = 0.3;
// Beyond this many of these, an error counts by its size, not its square.
constexpr double robust_width = 3;
// Moving constants helps if it leaves at most this share of the held-out error.
constexpr double helps = 0.9;

// Beyond this many requests, the medians of a steady load barely change.
constexpr std::int64_t enough_requests = 1000;

PredictedLoad predicted(const MeasuredLoad& load, const ServingMoves& moves) {
  ServingLoadInputs inputs = load.inputs;
  if (inputs.requests_per_sec > 0 || inputs.max_concurrency > 0)
    inputs.requests = std::min(inputs.requests, enough_requests);
  inputs.job.stack = moved(inputs.job.stack, moves);
  const Outcome<ServingLoad> found = expected_load(inputs);
  if (!found) return {};
  return {found->token.p50_ms, found->first_token.p50_ms};
}

// One measured time of a load, near some moves: its remaining error in units of noise, and how that changes.
struct NearLoad {
  std::size_t load = 0;
  bool first = false;  // whether it is the first token's
  double left = 0;
  ServingMoves slopes{};
};

double left_of(double measured, double said, double noise) {
  return natural_log(measured / said) / noise;
}

// Those worth moving.
using ServingKnobs = std::array<bool, serving_knob_count>;

std::vector<NearLoad> near(std::span<const MeasuredLoad> loads, const ServingMoves& at,
                           const ServingKnobs& movable) {
  constexpr double nudge = 0.1;
  std::vector<NearLoad> found;
  for (std::size_t place = 0; place < loads.size(); ++place) {
    const MeasuredLoad& load = loads[place];
    const PredictedLoad here = predicted(load, at);
    NearLoad token{place, false, 0, {}};
    NearLoad first{place, true, 0, {}};
    const bool has_token = load.token_ms > 0 && here.token_ms > 0;
    const bool has_first = load.first_token_ms > 0 && here.first_token_ms > 0;
    if (has_token) token.left = left_of(load.token_ms, here.token_ms, token_noise);
    if (has_first) first.left = left_of(load.first_token_ms, here.first_token_ms, first_token_noise);
    for (std::size_t knob = 0; knob < serving_knob_count; ++knob) {
      if (!movable[knob]) continue;
      ServingMoves other = at;
      other[knob] += nudge;
      const PredictedLoad there = predicted(load, other);
      if (has_token && there.token_ms > 0)
        token.slopes[knob] = natural_log(there.token_ms / here.token_ms) / token_noise / nudge;
      if (has_first && there.first_token_ms > 0)
        first.slopes[knob] =
            natural_log(there.first_token_ms / here.first_token_ms) / first_token_noise / nudge;
    }
    if (has_token) found.push_back(token);
    if (has_first) found.push_back(first);
  }
  return found;
}

// A constant that affects no load stays where it is.
ServingKnobs felt(std::span<const NearLoad> times) {
  constexpr double hardly = 0.02;
  ServingKnobs found{};
  for (const NearLoad& time : times)
    for (std::size_t knob = 0; knob < serving_knob_count; ++knob)
      found[knob] = found[knob] || std::fabs(time.slopes[knob]) > hardly;
  return found;
}

// Where least squares near `at` lead without the load `out`.
ServingMoves improved(std::span<const NearLoad> times, const ServingMoves& at, std::size_t out) {
  constexpr double longest = 3;
  std::array<double, serving_knob_count * serving_knob_count> matrix{};
  ServingMoves right{};
  for (std::size_t i = 0; i < serving_knob_count; ++i) {
    matrix[i * serving_knob_count + i] = 1;
    right[i] = -at[i];
  }
  for (const NearLoad& time : times) {
    if (time.load == out) continue;
    const double beyond = time.left / robust_width;
    const double weight = 1 / std::sqrt(1 + beyond * beyond);
    for (std::size_t i = 0; i < serving_knob_count; ++i) {
      right[i] += weight * time.slopes[i] * time.left;
      for (std::size_t j = 0; j < serving_knob_count; ++j)
        matrix[i * serving_knob_count + j] += weight * time.slopes[i] * time.slopes[j];
    }
  }
  solve(matrix, right);
  ServingMoves next = at;
  for (std::size_t i = 0; i < serving_knob_count; ++i) next[i] += std::clamp(right[i], -longest, longest);
  return next;
}

// Those whose removal would change some load's prediction.
ServingMoves that_act(std::span<const MeasuredLoad> loads, const ServingMoves& moves,
                      std::span<const PredictedLoad> before) {
  constexpr double hardly = 0.005;
  ServingMoves acting{};
  for (std::size_t knob = 0; knob < serving_knob_count; ++knob) {
    ServingMoves alone{};
    alone[knob] = moves[knob];
    if (moves[knob] == 0) continue;
    for (std::size_t at = 0; at < loads.size() && acting[knob] == 0; ++at) {
      const PredictedLoad there = predicted(loads[at], alone);
      if (std::fabs(there.token_ms / before[at].token_ms - 1) > hardly ||
          std::fabs(there.first_token_ms / before[at].first_token_ms - 1) > hardly)
        acting[knob] = moves[knob];
    }
  }
  return acting;
}

double median_error(std::span<const MeasuredLoad> loads, std::span<const PredictedLoad> said) {
  std::vector<double> errors;
  for (std::size_t at = 0; at < loads.size(); ++at)
    if (loads[at].token_ms > 0) errors.push_back(100 * std::fabs(said[at].token_ms / loads[at].token_ms - 1));
  // A load of prompts alone has no other time.
  if (errors.empty())
    for (std::size_t at = 0; at < loads.size(); ++at)
      if (loads[at].first_token_ms > 0)
        errors.push_back(100 * std::fabs(said[at].first_token_ms / loads[at].first_token_ms - 1));
  return median(std::move(errors));
}

std::vector<PredictedLoad> all_predicted(std::span<const MeasuredLoad> loads, const ServingMoves& moves) {
  std::vector<PredictedLoad> found;
  for (const MeasuredLoad& load : loads) found.push_back(predicted(load, moves));
  return found;
}

}  // namespace

ServingFit fit_serving(std::span<const MeasuredLoad> loads) {
  constexpr int rounds = 3;
  constexpr auto none = static_cast<std::size_t>(-1);
  ServingFit fit;
  fit.before = all_predicted(loads, {});
  ServingMoves moves{};
  ServingKnobs movable;
  movable.fill(true);
  std::vector<NearLoad> times = near(loads, moves, movable);
  movable = felt(times);
  for (int round = 0; round < rounds; ++round) {
    moves = improved(times, moves, none);
    // Near the fit, leaving out one load changes little, which one more step finds.
    times = near(loads, moves, movable);
  }
  for (std::size_t out = 0; out < loads.size(); ++out)
    fit.left_out.push_back(predicted(loads[out], loads.size() > 1 ? improved(times, moves, out) : moves));
  fit.moves = that_act(loads, moves, fit.before);
  fit.after = all_predicted(loads, fit.moves);
  fit.error_before_percent = median_error(loads, fit.before);
  fit.error_after_percent = median_error(loads, fit.after);
  fit.error_left_out_percent = median_error(loads, fit.left_out);
  fit.moves_help = fit.error_left_out_percent <= helps * fit.error_before_percent;
  if (!fit.moves_help) {
    fit.moves = {};
    fit.after = fit.before;
    fit.error_after_percent = fit.error_before_percent;
  }
  return fit;
}

}  // namespace commcost
