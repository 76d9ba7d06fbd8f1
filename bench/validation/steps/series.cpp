#include "bench/validation/steps/series.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <set>

#include "bench/validation/statistics.h"

namespace commcost::validation::steps {
namespace {

constexpr double losing_percent = 5;

std::string shape_key(const PublishedRun& run) {
  const ModelShape& shape = run.job.model;
  return run.model + "/" + std::to_string(shape.num_layers) + "/" + std::to_string(shape.hidden_size) + "/" +
         std::to_string(shape.num_heads) + "/" + std::to_string(run.job.work.sequence_length) + "/" +
         run.gpu + "/" + run.precision;
}

// All but the number of replicas and the batch, and the batch of a GPU.
std::string scaling_key(const PublishedRun& run) {
  const Layout& layout = run.job.layout;
  char text[160];
  std::snprintf(text, sizeof text, "tp%d pp%d v%d cp%d ep%d mb%d %.2f a GPU",
                static_cast<int>(layout.tensor_parallel), static_cast<int>(layout.pipeline_parallel),
                static_cast<int>(layout.virtual_stages), static_cast<int>(layout.context_parallel),
                static_cast<int>(layout.expert_parallel), static_cast<int>(run.job.work.batch_size),
                static_cast<double>(run.job.work.global_batch_size) / run.gpus);
  return run.source + "|" + shape_key(run) + "|" + text + "|" + run.details;
}

std::string layouts_key(const PublishedRun& run) {
  return run.source + "|" + run.version + "|" + shape_key(run) + "|" + std::to_string(run.gpus) + "|" +
         std::to_string(run.job.work.global_batch_size);
}

double tokens_of(const PublishedRun& run) {
  return static_cast<double>(run.job.work.global_batch_size) *
         static_cast<double>(run.job.work.sequence_length);
}

// Of one series the batch of a GPU is the same, so that step times compare as GPU-seconds a token do.
double gpu_ms_per_token(const PublishedRun& run, double step_ms) {
  return step_ms * run.gpus / tokens_of(run);
}

std::map<std::string, std::vector<const PublishedRun*>> grouped(const std::vector<PublishedRun>& runs,
                                                                std::string (*key)(const PublishedRun&)) {
  std::map<std::string, std::vector<const PublishedRun*>> groups;
  for (const PublishedRun& run : runs) {
    if (run.step) groups[key(run)].push_back(&run);
  }
  return groups;
}

struct Regret {
  double percent = 0;      ///< the picked layout's time over the fastest's, less one
  double any_percent = 0;  ///< of a layout taken at random
  double correlation = 0;
  const PublishedRun* picked = nullptr;
  const PublishedRun* quickest = nullptr;
};

Regret regret_of(const std::vector<const PublishedRun*>& group) {
  Regret regret;
  std::vector<double> measured;
  std::vector<double> predicted;
  for (const PublishedRun* run : group) {
    measured.push_back(run->measured_ms);
    predicted.push_back(run->step->step_time_ms);
  }
  const double best = *std::min_element(measured.begin(), measured.end());
  const double least = *std::min_element(predicted.begin(), predicted.end());
  std::vector<double> picked;  // all that tie, so that no luck decides
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (measured[i] == best) regret.quickest = group[i];
    if (predicted[i] > least * (1 + 1e-12)) continue;
    picked.push_back(measured[i]);
    regret.picked = group[i];
  }
  regret.percent = 100 * (mean(picked) / best - 1);
  regret.any_percent = 100 * (mean(measured) / best - 1);
  regret.correlation = rank_correlation(predicted, measured);
  return regret;
}

// What series that lose much are off by, points.
struct Losing {
  std::vector<double> off;
  std::vector<double> measured;
  std::vector<double> predicted;

  void add(const ScalingLoss& loss) {
    if (loss.measured_percent <= losing_percent) return;
    off.push_back(std::fabs(loss.predicted_percent - loss.measured_percent));
    measured.push_back(loss.measured_percent);
    predicted.push_back(loss.predicted_percent);
  }
  double correlation() const { return rank_correlation(predicted, measured); }
};

// The same if every prediction were right and measured losses scattered by as much as they do, to either
// side: choosing series by their measured loss favours those in which chance made it larger.
void print_losing_by_chance(const std::vector<ScalingLoss>& losses) {
  constexpr int draws = 2000;
  std::mt19937 random(1);
  std::vector<double> count;
  std::vector<double> off;
  std::vector<double> correlation;
  for (int draw = 0; draw < draws; ++draw) {
    Losing losing;
    for (ScalingLoss loss : losses) {
      const double away = loss.measured_percent - loss.predicted_percent;
      loss.measured_percent = loss.predicted_percent + (random() % 2 == 0 ? away : -away);
      losing.add(loss);
    }
    count.push_back(static_cast<double>(losing.off.size()));
    off.push_back(median(losing.off));
    correlation.push_back(losing.correlation());
  }
  std::printf(
      "  by chance alone, of right predictions and losses measured as far off as these to either side: %.0f "
      "lose "
      "more than %.0f, off by %.1f, rank correlation %.2f (medians of %d draws)\n",
      median(count), losing_percent, median(off), median(correlation), draws);
}

}  // namespace

std::vector<WeakScaling> weak_scaling_series(const std::vector<PublishedRun>& runs) {
  std::vector<WeakScaling> found;
  for (const auto& [key, members] : grouped(runs, scaling_key)) {
    std::map<double, const PublishedRun*> quickest;
    for (const PublishedRun* run : members) {
      const PublishedRun*& at = quickest[run->gpus];
      if (at == nullptr || run->measured_ms < at->measured_ms) at = run;
    }
    WeakScaling series;
    for (const auto& [gpus, run] : quickest) series.push_back(run);
    if (series.back()->gpus >= 2 * series.front()->gpus) found.push_back(std::move(series));
  }
  return found;
}

ScalingLoss loss_of(const WeakScaling& series) {
  const PublishedRun& first = *series.front();
  const PublishedRun& last = *series.back();
  const auto percent = [&](double before, double after) {
    return 100 * (1 - gpu_ms_per_token(first, before) / gpu_ms_per_token(last, after));
  };
  return {percent(first.measured_ms, last.measured_ms),
          percent(first.step->step_time_ms, last.step->step_time_ms)};
}

std::vector<Target> print_weak_scaling(const std::vector<WeakScaling>& series, bool every_series) {
  std::vector<double> off;
  std::vector<ScalingLoss> losses;
  Losing losing;
  std::printf("\nWeak scaling, throughput that a GPU loses from the fewest GPUs to the most\n");
  for (const WeakScaling& one : series) {
    const ScalingLoss loss = loss_of(one);
    off.push_back(std::fabs(loss.predicted_percent - loss.measured_percent));
    losses.push_back(loss);
    losing.add(loss);
    if (every_series) {
      std::printf("  %-24s %-20s %5.0f to %5.0f GPUs: measured %+6.1f %%, predicted %+6.1f %%\n",
                  class_of(*one.front()).c_str(), one.front()->model.c_str(), one.front()->gpus,
                  one.back()->gpus, loss.measured_percent, loss.predicted_percent);
    }
  }
  std::printf(
      "%d series, off by %.1f points in the median; %d lose more than %.0f: off by %.1f, rank correlation "
      "%.2f\n",
      static_cast<int>(series.size()), median(off), static_cast<int>(losing.off.size()), losing_percent,
      median(losing.off), losing.correlation());
  print_losing_by_chance(losses);
  return {{"weak scaling, points", 1.5, median(off)},
          {"weak scaling of those that lose over 5, points", 4, median(losing.off), 0, 6.5,
           "Whoever takes series by what they measured takes those that chance made lose more: of right "
           "predictions, beside measurements as noisy as these, it would be 4.3."}};
}

Target print_regret(const std::vector<PublishedRun>& runs, bool every_series) {
  std::vector<double> regrets;
  std::vector<double> any;
  std::vector<double> correlations;
  std::printf("\nRegret, how much slower the layout called quickest is than the measured quickest\n");
  for (const auto& [key, members] : grouped(runs, layouts_key)) {
    std::set<std::string> layouts;
    for (const PublishedRun* run : members) layouts.insert(layout_of(*run) + run->details);
    if (layouts.size() < 3) continue;
    const Regret regret = regret_of(members);
    regrets.push_back(regret.percent);
    any.push_back(regret.any_percent);
    correlations.push_back(regret.correlation);
    if (every_series) {
      std::printf("  %-24s %3d layouts, regret %5.1f %%: picked %s, quickest %s\n",
                  members.front()->model.c_str(), static_cast<int>(layouts.size()), regret.percent,
                  layout_of(*regret.picked).c_str(), layout_of(*regret.quickest).c_str());
    }
  }
  const double worst = regrets.empty() ? 0 : *std::max_element(regrets.begin(), regrets.end());
  std::printf(
      "%d series: regret median %.1f %%, mean %.1f %%, worst %.1f %%; any layout %.1f %%; rank correlation "
      "%.2f\n",
      static_cast<int>(regrets.size()), median(regrets), mean(regrets), worst, mean(any),
      median(correlations));
  return {"regret of layouts, mean",
          4,
          mean(regrets),
          0,
          7.1,
          "Two of eight groups have 20 and 22 %, both of BLOOM's probes on 48 nodes: fewer stages with more "
          "replicas took longer, and are predicted to take less. "
          "Without the two 1.2 %."};
}

}  // namespace commcost::validation::steps
