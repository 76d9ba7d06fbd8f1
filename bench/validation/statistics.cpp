#include "bench/validation/statistics.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

namespace commcost::validation {
namespace {

std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return values[a] != values[b] ? values[a] < values[b] : a < b;
  });
  std::vector<double> ranks(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    const double rank = static_cast<double>(first + end - 1) / 2;
    for (; first < end; ++first) ranks[order[first]] = rank;
  }
  return ranks;
}

}  // namespace

double mean(const std::vector<double>& values) {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> x = ranks_of(a);
  const std::vector<double> y = ranks_of(b);
  const double mean_x = mean(x);
  const double mean_y = mean(y);
  double together = 0;
  double spread_x = 0;
  double spread_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    together += (x[i] - mean_x) * (y[i] - mean_y);
    spread_x += (x[i] - mean_x) * (x[i] - mean_x);
    spread_y += (y[i] - mean_y) * (y[i] - mean_y);
  }
  return spread_x > 0 && spread_y > 0 ? together / std::sqrt(spread_x * spread_y) : 0;
}

double weighted_quantile(std::vector<std::pair<double, double>> values_and_weights, double share) {
  std::sort(values_and_weights.begin(), values_and_weights.end());
  double all = 0;
  for (const auto& [value, weight] : values_and_weights) all += weight;
  double reached = 0;
  for (const auto& [value, weight] : values_and_weights) {
    reached += weight;
    if (reached >= share * all) return value;
  }
  return 0;
}

std::vector<double> percents_off(const std::vector<double>& log_errors) {
  std::vector<double> percents;
  for (const double error : log_errors) percents.push_back(100 * std::fabs(std::expm1(error)));
  return percents;
}

}  // namespace commcost::validation
