#include "core/training/step_fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/base/least_squares.h"
#include "core/base/natural_log.h"
#include "core/base/statistics.h"

namespace commcost {
namespace {

using Steps = std::span<const TimedStep>;
/// Logarithms of the factors on the constants, or what changes with each of them.
using Logs = std::array<double, stack_knob_count>;
/// For each step, whether a fit sees it.
using Seen = std::vector<bool>;

// Place among the constants of the one that scales every time alike.
constexpr std::size_t scale = 0;
// How far two measurements of one step differ: half of published pairs differ by more.
constexpr double noise = 0.035;
// Beyond this, an error counts by its size, not its square.
constexpr double robust_width = 0.1;
// Share of a scale's errors on held-out steps that may remain for something else to be chosen instead.
// Constants have to halve them, by cross-validation over published families
// (bench/validation/steps/own_runs_report.cpp): anything less is chance, given how little few steps say about
// several constants. The unchanged recipe has to be three times as close.
constexpr double constants_instead = 0.5;
constexpr double recipe_instead = 1.0 / 3;
// One job measured twice differs by 9 % in a quarter of published cases.
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

StackFactors factors_of(const Logs& logs) {
  StackFactors factors = unmoved();
  for (std::size_t knob = 0; knob < stack_knob_count; ++knob)
    if (logs[knob] != 0) factors[knob] = exponential(logs[knob]);
  return factors;
}

// One job, asked again and again with its stack's constants moved: what these do not affect is priced once.
class MovedStep {
 public:
  MovedStep(const Job& job, const MachineScales& scales)
      : job_(job), unmoved_(job.stack), scales_(scales), lists_(job) {}
  explicit MovedStep(const TimedStep& step) : MovedStep(step.job, step.scales) {}
  MovedStep(const MovedStep&) = delete;
  MovedStep& operator=(const MovedStep&) = delete;

  double ms(const StackFactors& factors) {
    const double before = time_scale(job_);
    job_.stack = moved(unmoved_, factors);
    const KernelRates rates = kernel_rates(job_, scales_);
    const bool same_rates = model_ && rates == rates_;
    model_ = model_ ? model_->bound_to(job_, scales_,
                                       {.rates = same_rates, .collectives = before == time_scale(job_)})
                    : StepModel(job_, scales_);
    if (!same_rates) compute_ = step_compute(*model_);
    rates_ = rates;
    return step_result(step_times(*model_, compute_, lists_)).parts.total_us() * 1e-3;
  }

 private:
  Job job_;
  Stack unmoved_;
  MachineScales scales_;
  StepLists lists_;
  std::optional<StepModel> model_;
  KernelRates rates_;
  StepCompute compute_;
};

double moved_step_ms(const TimedStep& step, const StackFactors& factors) {
  return MovedStep(step).ms(factors);
}

// The first step in the list that measured the same job.
std::size_t first_of_its_job(Steps steps, std::size_t place) {
  const auto same = [&](const TimedStep& other) {
    return other.job == steps[place].job && other.scales == steps[place].scales;
  };
  return static_cast<std::size_t>(std::find_if(steps.begin(), steps.end(), same) - steps.begin());
}

// The steps near one place: their remaining errors in logarithms, and how predictions change.
struct Nearby {
  Logs at{};
  std::vector<double> predicted_ms;
  std::vector<double> left;
  std::vector<Logs> slopes;

  /// Whether two steps have the same predictions, whatever the constants.
  bool alike(std::size_t one, std::size_t other) const {
    return predicted_ms[one] == predicted_ms[other] && slopes[one] == slopes[other];
  }
};

Nearby nearby(Steps steps, const Logs& at) {
  constexpr double nudge = 0.02;
  Nearby found{at, {}, {}, {}};
  for (std::size_t place = 0; place < steps.size(); ++place) {
    const TimedStep& step = steps[place];
    const std::size_t first = first_of_its_job(steps, place);
    if (first == place) {
      MovedStep asked(step);
      const double here = asked.ms(factors_of(at));
      Logs slope{};
      // From the last one on: these change no kernel's price.
      for (std::size_t knob = stack_knob_count; knob-- > 0;) {
        Logs other = at;
        other[knob] += nudge;
        slope[knob] = natural_log(asked.ms(factors_of(other)) / here) / nudge;
      }
      found.predicted_ms.push_back(here);
      found.slopes.push_back(slope);
    } else {
      found.predicted_ms.push_back(found.predicted_ms[first]);
      found.slopes.push_back(found.slopes[first]);
    }
    found.left.push_back(natural_log(step.measured_ms / found.predicted_ms.back()));
  }
  return found;
}

// A linear system, positive definite.
struct Normal {
  std::array<double, stack_knob_count * stack_knob_count> matrix{};  // row by row
  Logs right{};

  double& at(std::size_t row, std::size_t column) { return matrix[row * stack_knob_count + column]; }
};

// Least squares near one place, seen from `logs`, robust, with the prior widths.
Normal normal_of(const Nearby& near, const Logs& logs, const Seen& seen) {
  Normal sum;
  for (std::size_t i = 0; i < stack_knob_count; ++i) {
    const double weight = 1 / (stack_knobs[i].doubt * stack_knobs[i].doubt);
    sum.at(i, i) += weight;
    sum.right[i] -= weight * logs[i];
  }
  for (std::size_t step = 0; step < near.left.size(); ++step) {
    if (!seen[step]) continue;
    const Logs& slope = near.slopes[step];
    double left = near.left[step];
    for (std::size_t i = 0; i < stack_knob_count; ++i) left -= slope[i] * (logs[i] - near.at[i]);
    const double beyond = left / robust_width;
    const double weight = 1 / (noise * noise * std::sqrt(1 + beyond * beyond));
    for (std::size_t i = 0; i < stack_knob_count; ++i) {
      sum.right[i] += weight * slope[i] * left;
      for (std::size_t j = 0; j < stack_knob_count; ++j) sum.at(i, j) += weight * slope[i] * slope[j];
    }
  }
  return sum;
}

// One step of Gauss and Newton.
Logs improved(const Nearby& near, const Logs& logs, const Seen& seen) {
  constexpr double longest = 0.5;
  Normal system = normal_of(near, logs, seen);
  solve(system.matrix, system.right);
  Logs next = logs;
  for (std::size_t i = 0; i < stack_knob_count; ++i)
    next[i] += std::clamp(system.right[i], -longest, longest);
  return next;
}

// One of the three ways to explain the steps.
struct Explanation {
  FitChoice choice;
  Logs logs;
  std::vector<double> left_out_ms;
  std::vector<double> errors;          // of those, in logarithms, absolute
  std::vector<double> errors_percent;  // the same in percent

  double error() const {
    const double squares = std::inner_product(errors.begin(), errors.end(), errors.begin(), 0.0);
    return std::sqrt(squares / static_cast<double>(errors.size()));
  }
  double median_error_percent() const { return median(errors_percent); }
};

// For each step, which others the fit that judges it may see: those of other jobs, since success on a job
// that was seen says nothing about another. If all are of one job, the other steps.
std::vector<Seen> seen_by(const Nearby& recipe) {
  const std::size_t count = recipe.left.size();
  bool several = false;
  for (std::size_t at = 1; at < count; ++at) several |= !recipe.alike(0, at);
  std::vector<Seen> found;
  for (std::size_t out = 0; out < count; ++out) {
    Seen& seen = found.emplace_back(count, true);
    for (std::size_t at = 0; at < count; ++at) seen[at] = several ? !recipe.alike(at, out) : at != out;
  }
  return found;
}

// `fitted` returns a fit to the steps it may see.
template <class Fitted>
Explanation explained(FitChoice choice, Steps steps, const std::vector<Seen>& seen, const Fitted& fitted) {
  Explanation found{choice, fitted(Seen(steps.size(), true)), {}, {}, {}};
  for (std::size_t out = 0; out < steps.size(); ++out) {
    const std::size_t first = first_of_its_job(steps, out);
    found.left_out_ms.push_back(first < out && seen[first] == seen[out]
                                    ? found.left_out_ms[first]
                                    : moved_step_ms(steps[out], factors_of(fitted(seen[out]))));
    const double ratio = found.left_out_ms.back() / steps[out].measured_ms;
    found.errors.push_back(std::fabs(natural_log(ratio)));
    found.errors_percent.push_back(100 * std::fabs(ratio - 1));
  }
  return found;
}

// The median of the scales that the steps ask for.
Logs fitted_scale(const Nearby& recipe, const Seen& seen) {
  std::vector<double> left;
  for (std::size_t at = 0; at < recipe.left.size(); ++at)
    if (seen[at]) left.push_back(recipe.left[at]);
  Logs logs{};
  if (!left.empty()) logs[scale] = median(std::move(left));
  return logs;
}

// The constants near where all steps want them.
Nearby fitted_constants(Steps steps, Nearby near) {
  constexpr int rounds = 6;
  for (int round = 0; round < rounds; ++round)
    near = nearby(steps, improved(near, near.at, Seen(steps.size(), true)));
  return near;
}

Logs fitted_near(const Nearby& all, const Seen& seen) {
  constexpr int rounds = 4;
  Logs logs = all.at;
  if (std::find(seen.begin(), seen.end(), false) == seen.end()) return logs;
  for (int round = 0; round < rounds; ++round) logs = improved(all, logs, seen);
  return logs;
}

// The scale, and those constants whose removal would change some prediction: few steps move few constants.
StackFactors that_act(Steps steps, const Nearby& recipe, const StackFactors& factors) {
  constexpr double hardly = 0.003;
  StackFactors acting = unmoved();
  acting[scale] = factors[scale];
  for (std::size_t knob = scale + 1; knob < stack_knob_count; ++knob) {
    StackFactors alone = unmoved();
    alone[knob] = factors[knob];
    bool acts = false;
    for (std::size_t at = 0; at < steps.size() && !acts; ++at)
      acts = first_of_its_job(steps, at) == at &&
             std::fabs(moved_step_ms(steps[at], alone) / recipe.predicted_ms[at] - 1) > hardly;
    if (acts) acting[knob] = factors[knob];
  }
  return acting;
}

std::vector<Contradiction> contradictions_of(Steps steps, const Nearby& recipe) {
  std::vector<Contradiction> found;
  for (std::size_t one = 0; one < steps.size(); ++one) {
    for (std::size_t other = one + 1; other < steps.size(); ++other) {
      if (!recipe.alike(one, other)) continue;
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

double moved_step_ms(const Job& job, const StackFactors& factors, const MachineScales& scales) {
  return MovedStep(job, scales).ms(factors);
}

StepFit fit_steps(Steps steps) {
  const Nearby at_recipe = nearby(steps, {});
  const Nearby at_constants = fitted_constants(steps, at_recipe);
  const std::vector<Seen> seen = seen_by(at_recipe);
  const Explanation recipe = explained(FitChoice::recipe, steps, seen, [](const Seen&) { return Logs{}; });
  const Explanation one_scale = explained(FitChoice::one_scale, steps, seen,
                                          [&](const Seen& those) { return fitted_scale(at_recipe, those); });
  const Explanation constants = explained(
      FitChoice::constants, steps, seen, [&](const Seen& those) { return fitted_near(at_constants, those); });
  const Explanation* best = &one_scale;
  if (constants.error() < constants_instead * one_scale.error()) best = &constants;
  if (recipe.error() <= recipe_instead * one_scale.error() && recipe.error() <= best->error()) best = &recipe;
  StepFit fit;
  if (steps.size() > 1) {
    fit.recipe_error_percent = recipe.median_error_percent();
    fit.one_scale_error_percent = one_scale.median_error_percent();
    fit.constants_error_percent = constants.median_error_percent();
  }
  fit.choice = best->choice;
  fit.factors = that_act(steps, at_recipe, factors_of(best->logs));
  fit.left_out_ms = best->left_out_ms;
  fit.far_off = far_off(best->errors);
  fit.contradictions = contradictions_of(steps, at_recipe);
  return fit;
}

}  // namespace commcost
