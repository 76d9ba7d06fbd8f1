#include "bench/validation/steps/straggler_fit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "bench/validation/fitting.h"
#include "bench/validation/statistics.h"
#include "bench/validation/steps/series.h"
#include "core/base/least_squares.h"
#include "core/parallel/layout_problems.h"
#include "core/training/training_step.h"

namespace commcost::validation::steps {
namespace {

using Series = std::vector<const WeakScaling*>;

constexpr double prior_percent = Stack{}.straggler_percent;
// As stacks lie from each other in it (core/training/stack_knobs.cpp).
constexpr double doubt = 0.5;
// Of a series that was published for two versions of a stack the losses differ by 1.4 points in the median.
constexpr double noise = 0.015;
// Fewer series are a matter of luck.
constexpr std::size_t enough_series = 5;

double step_ms(const PublishedRun& run, double straggler_percent) {
  Job job = run.job;
  job.stack.straggler_percent = straggler_percent;
  return step_summary(completed(job)).parts.total_us() * 1e-3;
}

// Logarithms of what a run takes over the series' first, as predicted over as measured.
std::vector<double> growth_errors(const WeakScaling& series, double percent) {
  const PublishedRun& first = *series.front();
  const double first_error = std::log(step_ms(first, percent) / first.measured_ms);
  std::vector<double> errors;
  for (const PublishedRun* run : series) {
    if (run != &first) errors.push_back(std::log(step_ms(*run, percent) / run->measured_ms) - first_error);
  }
  return errors;
}

// Robust, each series as one, and the prior.
double cost(const Series& all, double percent) {
  const double away = std::log(percent / prior_percent) / doubt;
  double sum = away * away;
  for (const WeakScaling* series : all) {
    const std::vector<double> errors = growth_errors(*series, percent);
    for (const double error : errors) sum += soft_l1(error / noise) / static_cast<double>(errors.size());
  }
  return sum;
}

// Of all spreads the likeliest; the one without series where that gains less than a constant costs (the
// Bayesian information criterion).
double fitted(const Series& all) {
  constexpr double stride = 1.05;
  constexpr double least = 0.2;
  constexpr double greatest = 10;
  double best = prior_percent;
  double lowest = cost(all, prior_percent) - std::log(static_cast<double>(all.size()));
  for (double percent = least; percent <= greatest; percent *= stride) {
    const double now = cost(all, percent);
    if (now >= lowest) continue;
    lowest = now;
    best = percent;
  }
  return best;
}

// How far losses are off, points.
std::vector<double> loss_errors(const Series& all, double percent) {
  std::vector<double> errors;
  for (const WeakScaling* series : all) {
    const std::vector<double> growth = growth_errors(*series, percent);
    errors.push_back(100 * std::fabs(growth.back()));
  }
  return errors;
}

std::vector<double> left_out_errors(const Series& all) {
  const auto source = [](const WeakScaling* series) { return series->front()->source; };
  const auto model = [](const WeakScaling* series) { return series->front()->model; };
  std::vector<double> errors;
  for (const auto& [key, left_out] : left_out_together(all, source, model)) {
    const Series others = without(all, left_out);
    for (const double error : loss_errors(left_out, others.empty() ? prior_percent : fitted(others)))
      errors.push_back(error);
  }
  return errors;
}

}  // namespace

std::map<std::string, double> fit_stragglers(const std::vector<PublishedRun>& runs) {
  const std::vector<WeakScaling> series = weak_scaling_series(runs);
  std::map<std::string, Series> stacks;
  for (const WeakScaling& one : series) stacks[std::string(one.front()->recipe)].push_back(&one);
  std::map<std::string, double> found;
  std::printf(
      "straggler_percent on series of weak scaling; how far their losses are off in the median, points\n");
  for (const auto& [recipe, all] : stacks) {
    if (all.size() < enough_series) continue;
    const double value = fitted(all);
    if (value != prior_percent) found[recipe] = value;
    std::printf(
        "  %-16s %3zu series  prior %5.2f  value %6.3f  off by %4.2f, at the prior %4.2f, left out %4.2f\n",
        recipe.c_str(), all.size(), prior_percent, value, median(loss_errors(all, value)),
        median(loss_errors(all, prior_percent)), median(left_out_errors(all)));
  }
  return found;
}

}  // namespace commcost::validation::steps
