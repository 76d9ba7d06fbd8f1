#include "bench/validation/collectives/refit.h"

#include <algorithm>
#include <cmath>

#include "core/base/least_squares.h"
#include "core/network/curve_model.h"

namespace commcost::validation::collectives {
namespace {

constexpr std::size_t constant_count = static_cast<std::size_t>(Constant::count);
constexpr double robust_width = 0.1;     // log time: beyond 10 % a residual counts linearly
constexpr double prior_weight = 0.2;     // of a constant one spread off its prior, against a series 10 % off
constexpr double unproven_weight = 0.5;  // of series whose source the table does not call healthy
constexpr double full_series = 8;        // points from which on a series weighs no more

bool is_fitted(const ConstantRow& row) {
  return row.prior_spread > 0;
}

// Those that are not fitted stay at their priors.
Constants constants_at(std::span<const double> logs) {
  Constants constants;
  std::size_t next = 0;
  for (std::size_t i = 0; i < constant_count; ++i) {
    const ConstantRow& row = constant_rows()[i];
    constants.values[i] = std::exp(is_fitted(row) ? logs[next++] : std::log(row.prior));
  }
  return constants;
}

}  // namespace

Constants refit(const std::vector<Series>& all, std::string_view left_out) {
  std::vector<double> logs;
  std::size_t count = 0;
  for (const ConstantRow& row : constant_rows())
    if (is_fitted(row)) logs.push_back(std::log(row.prior));
  count = logs.size();
  for (const Series& series : all)
    if (series.site != left_out) count += series.points.size();

  const auto residuals = [&](std::span<const double> at, std::span<double> out) {
    std::size_t next = 0;
    for (const ConstantRow& row : constant_rows()) {
      if (!is_fitted(row)) continue;
      out[next] = prior_weight * (at[next] - std::log(row.prior)) / row.prior_spread;
      ++next;
    }
    const Constants constants = constants_at(at);
    for (const Series& series : all) {
      if (series.site == left_out) continue;
      const Curve curve = predicted_curve(series.group, series.collective, constants).curve;
      const double share = std::min(1.0, full_series / static_cast<double>(series.points.size()));
      const double weight = std::sqrt(share * (series.healthy ? 1 : unproven_weight));
      for (const Point& point : series.points) {
        const double residual = std::log(curve.time_us(point.message_size_bytes) / point.time_us);
        out[next++] = weight * softened(residual, robust_width);
      }
    }
  };
  least_squares(residuals_of(count, residuals), logs);
  return constants_at(logs);
}

std::vector<double> rows_that_answer(const std::vector<Series>& all, const Constants& constants) {
  std::vector<double> rows(constant_count);
  for (std::size_t i = 0; i < constant_count; ++i) {
    Constants moved = constants;
    moved.values[i] *= 1.01;
    for (const Series& series : all) {
      const Curve before = predicted_curve(series.group, series.collective, constants).curve;
      const Curve after = predicted_curve(series.group, series.collective, moved).curve;
      for (const Point& point : series.points) {
        const double size = point.message_size_bytes;
        if (std::abs(after.time_us(size) / before.time_us(size) - 1) >= 1e-3) ++rows[i];
      }
    }
  }
  return rows;
}

}  // namespace commcost::validation::collectives
