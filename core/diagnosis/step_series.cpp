#include "core/diagnosis/step_series.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/statistics.h"

namespace commcost {
namespace {

// More than steps of one run scatter by.
constexpr double slow_start = 1.15;
// As read_training_log counts slow steps.
constexpr double stalled = 1.5;

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

// Steps from one stall to the next if all but one gap are equal; 0 if they are not.
double period_of(const std::vector<std::size_t>& places) {
  constexpr std::size_t fewest = 3;
  if (places.size() < fewest) return 0;
  std::vector<double> apart;
  for (std::size_t at = 1; at < places.size(); ++at)
    apart.push_back(static_cast<double>(places[at] - places[at - 1]));
  const double usual = median(apart);
  const auto off = std::count_if(apart.begin(), apart.end(), [usual](double one) {
    return std::abs(one - usual) > std::max(1.0, 0.1 * usual);
  });
  return off * 4 <= static_cast<std::ptrdiff_t>(apart.size()) ? usual : 0;
}

// How much thirds of the steps rise from one to the next, as a share; 0 if by no more than chance.
double drift_of(const std::vector<double>& calm) {
  constexpr std::size_t fewest = 30;
  constexpr double chance = 0.05;
  if (calm.size() < fewest) return 0;
  const auto third = static_cast<std::ptrdiff_t>(calm.size() / 3);
  const auto middle = [&](std::ptrdiff_t from) {
    return median({calm.begin() + from, calm.begin() + from + third});
  };
  const double first = middle(0);
  const double second = middle(third);
  const double last = middle(static_cast<std::ptrdiff_t>(calm.size()) - third);
  return first < second && second < last && last > (1 + chance) * first ? last / first - 1 : 0;
}

}  // namespace

StepSeries step_series(std::span<const double> times_ms) {
  StepSeries series;
  if (times_ms.empty()) return series;
  const std::size_t from = times_ms.size() > 1 ? 1 : 0;
  const std::vector<double> times(times_ms.begin() + static_cast<std::ptrdiff_t>(from), times_ms.end());
  const auto count = static_cast<double>(times.size());
  series.first_ms = times_ms.front();
  series.steps = count;
  series.mean_ms = mean(times);
  const double middle = median(times);

  std::size_t begin = 0;
  while (begin + 1 < times.size() && times[begin] > slow_start * middle) ++begin;
  // A third of a log or more is no warm-up.
  if (begin * 3 > times.size()) begin = 0;
  std::vector<double> calm;
  std::vector<std::size_t> stalls;
  for (std::size_t at = begin; at < times.size(); ++at) {
    if (times[at] > stalled * middle) {
      stalls.push_back(at);
    } else {
      calm.push_back(times[at]);
    }
  }
  series.low_ms = quantile(calm, 0.1);
  series.high_ms = quantile(calm, 0.9);
  const double calm_ms = mean(calm);
  const double drift = drift_of(calm);
  series.drift_percent = 100 * drift;
  // Thirds of a straight line are two thirds of its rise apart; the line starts half a third before the
  // first.
  series.drift_ms = drift > 0 ? calm_ms - calm_ms / (1 + 0.75 * drift) : 0;
  series.usual_ms = calm_ms - series.drift_ms;
  for (std::size_t at = 0; at < begin; ++at) series.warm_up_ms += (times[at] - calm_ms) / count;
  series.warm_up_steps = static_cast<double>(begin);
  for (const std::size_t at : stalls) {
    series.stalls_ms += (times[at] - calm_ms) / count;
    if (times[at] <= series.longest_stall_ms) continue;
    series.longest_stall_ms = times[at];
    series.longest_stall = static_cast<double>(at + from + 1);
  }
  series.stalled_steps = static_cast<double>(stalls.size());
  series.stall_every = period_of(stalls);
  return series;
}

}  // namespace commcost
