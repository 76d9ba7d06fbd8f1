#include "core/step/step_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/natural_log.h"

namespace commcost {
namespace {

using Steps = std::span<const TimedStep>;
/// Logarithms of the factors on the constants, or what changes with each of them.
using Logs = std::array<double, pace_knob_count>;
/// Which constants a fit may move.
using Free = std::span<const std::size_t>;

constexpr std::size_t scale_alone[] = {0};
constexpr std::size_t all_knobs[] = {0, 1, 2, 3, 4, 5, 6, 7};
static_assert(std::size(all_knobs) == pace_knob_count);

constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();
// How far a step lies from itself, measured again on the machine where it ran.
constexpr double noise = 0.02;
// Beyond it an error counts by its size, not its square.
constexpr double robust_width = 0.1;
// One plain scale is drawn nowhere.
constexpr double no_doubt_of_a_scale = 5;
// One setting measured twice differs by 9 % in a quarter of published cases.
constexpr double differs_by_chance = 0.09;
constexpr double far = 0.15;
constexpr double far_beside_others = 4;

// e^x to eight digits by + - * / alone, with the same bits natively and in WebAssembly: a quotient of
// polynomials (Pade), squared six times.
double exponential(double x) {
  const double y = x / 64;
  double power = (12 + 6 * y + y * y) / (12 - 6 * y + y * y);
  for (int squared = 0; squared < 6; ++squared) power *= power;
  return power;
}

PaceFactors factors_of(const Logs& logs) {
  PaceFactors factors = unmoved();
  for (std::size_t knob = 0; knob < pace_knob_count; ++knob)
    if (logs[knob] != 0) factors[knob] = exponential(logs[knob]);
  return factors;
}

double moved_step_ms(const TimedStep& step, const PaceFactors& factors) {
  return commcost::moved_step_ms(step.placed, factors, step.scales);
}

// The steps near one place: what is left of their times in logarithms, and how predictions change.
struct Nearby {
  Logs at{};
  std::vector<double> left;
  std::vector<Logs> slopes;
};

Nearby nearby(Steps steps, const Logs& at, Free free) {
  constexpr double nudge = 0.02;
  Nearby found{at, {}, {}};
  for (const TimedStep& step : steps) {
    const double here = moved_step_ms(step, factors_of(at));
    found.left.push_back(natural_log(step.measured_ms / here));
    Logs slope{};
    for (const std::size_t knob : free) {
      Logs other = at;
      other[knob] += nudge;
      slope[knob] = natural_log(moved_step_ms(step, factors_of(other)) / here) / nudge;
    }
    found.slopes.push_back(slope);
  }
  return found;
}

// The doubts of a fit: a scale that stands alone is free.
double doubt_of(std::size_t knob, Free free) {
  return free.size() == 1 ? no_doubt_of_a_scale : pace_knobs[knob].doubt;
}

// A linear system, positive definite.
struct Normal {
  std::array<Logs, pace_knob_count> matrix{};
  Logs right{};
};

// Of least squares near one place, seen from `logs`, robust, with the doubts; `out` is not seen.
Normal normal_of(const Nearby& near, const Logs& logs, Free free, std::size_t out) {
  Normal sum;
  for (const std::size_t i : free) {
    const double weight = 1 / (doubt_of(i, free) * doubt_of(i, free));
    sum.matrix[i][i] += weight;
    sum.right[i] -= weight * logs[i];
  }
  for (std::size_t step = 0; step < near.left.size(); ++step) {
    if (step == out) continue;
    const Logs& slope = near.slopes[step];
    double left = near.left[step];
    for (const std::size_t i : free) left -= slope[i] * (logs[i] - near.at[i]);
    const double beyond = left / robust_width;
    const double weight = 1 / (noise * noise * std::sqrt(1 + beyond * beyond));
    for (const std::size_t i : free) {
      sum.right[i] += weight * slope[i] * left;
      for (const std::size_t j : free) sum.matrix[i][j] += weight * slope[i] * slope[j];
    }
  }
  return sum;
}

// One step of Gauss and Newton.
Logs improved(const Nearby& near, const Logs& logs, Free free, std::size_t out) {
  constexpr double longest = 0.5;
  Normal system = normal_of(near, logs, free, out);
  for (const std::size_t i : free) {
    for (const std::size_t row : free) {
      if (row == i) continue;
      const double share = system.matrix[row][i] / system.matrix[i][i];
      for (const std::size_t j : free) system.matrix[row][j] -= share * system.matrix[i][j];
      system.right[row] -= share * system.right[i];
    }
  }
  Logs next = logs;
  for (const std::size_t i : free)
    next[i] += std::clamp(system.right[i] / system.matrix[i][i], -longest, longest);
  return next;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// One of the three ways to explain the steps.
struct Explanation {
  FitChoice choice;
  Logs logs{};
  std::vector<double> left_out_ms;
  std::vector<double> errors;          // of those, in logarithms, absolute
  std::vector<double> errors_percent;  // the same as people say it

  double mean_error() const {
    double sum = 0;
    for (const double error : errors) sum += error;
    return sum / static_cast<double>(errors.size());
  }
  double median_error_percent() const { return median(errors_percent); }
};

Explanation explained(FitChoice choice, Steps steps, Free free) {
  constexpr int rounds = 6;
  constexpr int rounds_left_out = 4;
  Explanation found{choice, {}, {}, {}, {}};
  Nearby near = nearby(steps, found.logs, free);
  for (int round = 0; round < rounds && !free.empty(); ++round) {
    found.logs = improved(near, found.logs, free, nobody);
    near = nearby(steps, found.logs, free);
  }
  for (std::size_t out = 0; out < steps.size(); ++out) {
    Logs logs = found.logs;
    for (int round = 0; round < rounds_left_out && !free.empty(); ++round)
      logs = improved(near, logs, free, out);
    found.left_out_ms.push_back(moved_step_ms(steps[out], factors_of(logs)));
    const double ratio = found.left_out_ms.back() / steps[out].measured_ms;
    found.errors.push_back(std::fabs(natural_log(ratio)));
    found.errors_percent.push_back(100 * std::fabs(ratio - 1));
  }
  return found;
}

// Without those that change no step: few steps move few constants.
PaceFactors that_act(Steps steps, const PaceFactors& factors) {
  constexpr double hardly = 0.003;
  PaceFactors acting = unmoved();
  for (std::size_t knob = 0; knob < pace_knob_count; ++knob) {
    PaceFactors alone = unmoved();
    alone[knob] = factors[knob];
    const bool acts = std::any_of(steps.begin(), steps.end(), [&](const TimedStep& step) {
      const double before = moved_step_ms(step, unmoved());
      return std::fabs(moved_step_ms(step, alone) / before - 1) > hardly;
    });
    if (acts) acting[knob] = factors[knob];
  }
  return acting;
}

// Steps that nothing could tell apart are of one setting.
std::vector<Contradiction> contradictions_of(Steps steps) {
  const Nearby near = nearby(steps, {}, all_knobs);
  std::vector<Contradiction> found;
  for (std::size_t one = 0; one < steps.size(); ++one) {
    const double predicted = moved_step_ms(steps[one], unmoved());
    for (std::size_t other = one + 1; other < steps.size(); ++other) {
      if (near.slopes[one] != near.slopes[other]) continue;
      if (moved_step_ms(steps[other], unmoved()) != predicted) continue;
      const auto [shorter, longer] = std::minmax(steps[one].measured_ms, steps[other].measured_ms);
      if (longer / shorter - 1 > differs_by_chance)
        found.push_back({one, other, 100 * (longer / shorter - 1)});
    }
  }
  return found;
}

std::vector<bool> far_off(const std::vector<double>& errors) {
  std::vector<bool> found(errors.size(), false);
  if (errors.size() < 3) return found;
  for (std::size_t at = 0; at < errors.size(); ++at) {
    std::vector<double> others = errors;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(at));
    found[at] = errors[at] > far && errors[at] > far_beside_others * median(std::move(others));
  }
  return found;
}

}  // namespace

double moved_step_ms(const PlacedSetting& placed, const PaceFactors& factors, const MachineScales& scales) {
  Setting setting = placed.setting;
  setting.pace = moved(setting.pace, factors);
  return step_result(step_times(setting, StepModel(placed.machine, setting, scales))).parts.total_us() * 1e-3;
}

StepFit fit_steps(Steps steps) {
  const Explanation recipe = explained(FitChoice::recipe, steps, {});
  const Explanation scale = explained(FitChoice::one_scale, steps, scale_alone);
  const Explanation constants = explained(FitChoice::constants, steps, all_knobs);
  StepFit fit;
  const Explanation* best = &recipe;
  if (steps.size() == 1) {
    if (recipe.mean_error() > noise) best = &scale;
  } else {
    for (const Explanation* one : {&scale, &constants})
      if (one->mean_error() < best->mean_error()) best = one;
    fit.recipe_error_percent = recipe.median_error_percent();
    fit.one_scale_error_percent = scale.median_error_percent();
    fit.constants_error_percent = constants.median_error_percent();
  }
  fit.choice = best->choice;
  fit.factors = that_act(steps, factors_of(best->logs));
  fit.left_out_ms = best->left_out_ms;
  fit.far_off = far_off(best->errors);
  fit.contradictions = contradictions_of(steps);
  return fit;
}

}  // namespace commcost
