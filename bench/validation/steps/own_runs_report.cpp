#include "bench/validation/steps/own_runs_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>

#include "bench/validation/statistics.h"
#include "core/training/step_fit.h"

namespace commcost::validation::steps {
namespace {

using Runs = std::vector<const PublishedRun*>;

constexpr std::size_t seen_runs = 3;
// The design's limit, percent.
constexpr double limit_percent = 4;
// Of other choices of three, so that no luck decides.
constexpr int drawn_triples = 20;
// Points by which a fit may be worse than one plain scale: what four digits of a field round away.
constexpr double rounding_percent = 0.1;

// Absolute errors on runs that were not seen, percent.
struct Errors {
  std::vector<double> recipe;
  std::vector<double> one_scale;
  std::vector<double> fitted;

  void add(const Errors& other) {
    const auto append = [](std::vector<double>& to, const std::vector<double>& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    append(recipe, other.recipe);
    append(one_scale, other.one_scale);
    append(fitted, other.fitted);
  }
  // Points that the fit is worse by than one plain scale.
  double worse_percent() const { return median(fitted) - median(one_scale); }
  void print(const char* name, const char* more) const {
    std::printf("  %-62s %5zu rows  as the recipe %5.1f %%  one scale %5.1f %%  fit_step %5.1f %%%s\n", name,
                fitted.size(), median(recipe), median(one_scale), median(fitted), more);
  }
};

// How often fits are worse than one plain scale, and by how much at most.
struct Worse {
  int of = 0;
  int times = 0;
  double most_percent = 0;

  void add(double worse_percent) {
    ++of;
    if (worse_percent > rounding_percent) ++times;
    most_percent = std::max(most_percent, worse_percent);
  }
  void print(const char* what) const {
    std::printf("  worse than one plain scale by more than %.1f points: %d of %d %s, by %.1f at most\n",
                rounding_percent, times, of, what, most_percent);
  }
};

double percent_off(double predicted, double measured) {
  return 100 * std::fabs(predicted / measured - 1);
}

struct Judged {
  Errors errors;
  FitChoice choice;
};

// Fits to three of a family, and judges on its others.
Judged judged(const Runs& family, const std::array<std::size_t, seen_runs>& three) {
  std::vector<TimedStep> seen;
  std::vector<double> ratios;
  for (const std::size_t at : three) {
    const PublishedRun& run = *family[at];
    seen.push_back({completed(run.job), run.measured_ms});
    ratios.push_back(run.measured_ms / run.step->step_time_ms);
  }
  const StepFit fit = fit_steps(seen);
  Judged found{{}, fit.choice};
  for (std::size_t at = 0; at < family.size(); ++at) {
    if (std::find(three.begin(), three.end(), at) != three.end()) continue;
    const PublishedRun& run = *family[at];
    const double fitted_ms = moved_step_ms(completed(run.job), fit.factors);
    found.errors.recipe.push_back(percent_off(run.step->step_time_ms, run.measured_ms));
    found.errors.one_scale.push_back(percent_off(median(ratios) * run.step->step_time_ms, run.measured_ms));
    found.errors.fitted.push_back(percent_off(fitted_ms, run.measured_ms));
  }
  return found;
}

// Families with at least as many runs to judge by as to fit to; by number of GPUs, then by id.
std::map<std::string, Runs> families_of(const std::vector<PublishedRun>& runs) {
  std::map<std::string, Runs> families;
  for (const PublishedRun& run : runs) {
    if (run.step)
      families[run.family + " " + run.gpu + " " + run.precision + " " + run.model].push_back(&run);
  }
  std::erase_if(families, [](const auto& family) { return family.second.size() < 2 * seen_runs; });
  for (auto& [name, members] : families) {
    std::sort(members.begin(), members.end(), [](const PublishedRun* one, const PublishedRun* other) {
      return one->gpus != other->gpus ? one->gpus < other->gpus : one->id < other->id;
    });
  }
  return families;
}

Errors drawn(const Runs& family, std::mt19937& random, Worse& worse) {
  Errors all;
  std::vector<std::size_t> places(family.size());
  for (std::size_t at = 0; at < places.size(); ++at) places[at] = at;
  for (int triple = 0; triple < drawn_triples; ++triple) {
    std::shuffle(places.begin(), places.end(), random);
    const Errors errors = judged(family, {places[0], places[1], places[2]}).errors;
    worse.add(errors.worse_percent());
    all.add(errors);
  }
  return all;
}

}  // namespace

bool print_own_runs(const std::vector<PublishedRun>& runs, bool every_family) {
  std::printf(
      "\nfit_step on three runs of a family (fewest GPUs, middle, most), on its others; limit %.0f %%, and "
      "never "
      "worse than one plain scale\n",
      limit_percent);
  std::mt19937 random(1);
  Errors all;
  Errors others;
  Worse families;
  Worse threes;
  for (const auto& [name, members] : families_of(runs)) {
    const Judged found = judged(members, {0, (members.size() - 1) / 2, members.size() - 1});
    all.add(found.errors);
    families.add(found.errors.worse_percent());
    others.add(drawn(members, random, threes));
    const bool worse = found.errors.worse_percent() > rounding_percent;
    if (!every_family && !worse) continue;
    const std::string choice = ", by " +
                               std::string(fit_choice_names[static_cast<std::size_t>(found.choice)]) +
                               (worse ? ", WORSE than one scale" : "");
    found.errors.print(name.c_str(), choice.c_str());
  }
  const bool held = median(all.fitted) <= limit_percent && families.times == 0;
  all.print("all families", held ? "" : ", MISSED");
  families.print("families");
  others.print("all families, other threes", "");
  threes.print("other threes");
  return held;
}

}  // namespace commcost::validation::steps
