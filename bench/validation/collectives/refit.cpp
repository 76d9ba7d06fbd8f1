#include "bench/validation/collectives/refit.h"

#include <algorithm>
#include <cmath>

#include "core/network/curve_model.h"

namespace commcost::accuracy {
namespace {

constexpr std::size_t unknowns = static_cast<std::size_t>(Constant::count);
constexpr double robust_scale = 0.1;     // log time: beyond 10 % a residual counts linearly
constexpr double prior_weight = 0.2;     // of a constant one spread off its prior, against a series 10 % off
constexpr double unproven_weight = 0.5;  // of series whose source the table does not call healthy
constexpr double full_series = 8;        // points from which on a series weighs no more

constexpr double tiny = 1e-12;  // keeps constants that no row answers to at their priors

using Vector = std::vector<double>;

Constants constants_at(const Vector& logs) {
  Constants constants;
  for (std::size_t i = 0; i < unknowns; ++i) constants.values[i] = std::exp(logs[i]);
  return constants;
}

/// A residual whose square is the soft-L1 loss.
double softened(double residual) {
  const double scaled = residual / robust_scale;
  const double loss = 2 * (std::sqrt(1 + scaled * scaled) - 1);
  return std::copysign(std::sqrt(loss) * robust_scale, residual);
}

Vector residuals(const std::vector<Series>& all, std::string_view left_out, const Vector& logs) {
  Vector out;
  const auto rows = constant_rows();
  for (std::size_t i = 0; i < unknowns; ++i) {
    if (rows[i].prior_spread <= 0) continue;
    out.push_back(prior_weight * (logs[i] - std::log(rows[i].prior)) / rows[i].prior_spread);
  }
  const Constants constants = constants_at(logs);
  for (const Series& series : all) {
    if (series.site == left_out) continue;
    const Curve curve = predicted_curve(series.group, series.collective, constants).curve;
    const double share = std::min(1.0, full_series / static_cast<double>(series.points.size()));
    const double weight = std::sqrt(share * (series.healthy ? 1 : unproven_weight));
    for (const Point& point : series.points) {
      out.push_back(weight * softened(std::log(curve.time_us(point.message_size_bytes) / point.time_us)));
    }
  }
  return out;
}

double sum_of_squares(const Vector& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

/// Solves the symmetric positive definite system in place by Cholesky.
void solve(std::vector<Vector>& matrix, Vector& right) {
  for (std::size_t i = 0; i < unknowns; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = matrix[i][j];
      for (std::size_t k = 0; k < j; ++k) sum -= matrix[i][k] * matrix[j][k];
      matrix[i][j] = i == j ? std::sqrt(std::max(sum, 1e-300)) : sum / matrix[j][j];
    }
  }
  for (std::size_t i = 0; i < unknowns; ++i) {
    for (std::size_t k = 0; k < i; ++k) right[i] -= matrix[i][k] * right[k];
    right[i] /= matrix[i][i];
  }
  for (std::size_t i = unknowns; i-- > 0;) {
    for (std::size_t k = i + 1; k < unknowns; ++k) right[i] -= matrix[k][i] * right[k];
    right[i] /= matrix[i][i];
  }
}

}  // namespace

Constants refit(const std::vector<Series>& all, std::string_view left_out) {
  Vector logs;
  for (const ConstantRow& row : constant_rows()) logs.push_back(std::log(row.prior));
  Vector at = residuals(all, left_out, logs);
  double cost = sum_of_squares(at);
  double damping = 1e-2;
  for (int round = 0; round < 60; ++round) {
    std::vector<Vector> slopes(unknowns);
    for (std::size_t i = 0; i < unknowns; ++i) {
      if (constant_rows()[i].prior_spread <= 0) {
        slopes[i].assign(at.size(), 0);
        continue;
      }
      constexpr double nudge = 1e-5;
      Vector moved = logs;
      moved[i] += nudge;
      slopes[i] = residuals(all, left_out, moved);
      for (std::size_t p = 0; p < at.size(); ++p) slopes[i][p] = (slopes[i][p] - at[p]) / nudge;
    }
    std::vector<Vector> normal(unknowns, Vector(unknowns));
    Vector gradient(unknowns);
    for (std::size_t i = 0; i < unknowns; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = 0;
        for (std::size_t p = 0; p < at.size(); ++p) sum += slopes[i][p] * slopes[j][p];
        normal[i][j] = normal[j][i] = sum;
      }
      for (std::size_t p = 0; p < at.size(); ++p) gradient[i] -= slopes[i][p] * at[p];
    }
    bool better = false;
    for (int attempt = 0; attempt < 8 && !better; ++attempt) {
      std::vector<Vector> damped = normal;
      for (std::size_t i = 0; i < unknowns; ++i) damped[i][i] = damped[i][i] * (1 + damping) + tiny;
      Vector step = gradient;
      solve(damped, step);
      Vector next = logs;
      for (std::size_t i = 0; i < unknowns; ++i) next[i] += std::clamp(step[i], -1.0, 1.0);
      const Vector there = residuals(all, left_out, next);
      const double there_cost = sum_of_squares(there);
      if (there_cost < cost) {
        const bool settled = cost - there_cost < 1e-6 * cost;
        better = true;
        logs = next;
        at = there;
        cost = there_cost;
        damping = std::max(damping / 4, 1e-9);
        if (settled) return constants_at(logs);
      } else {
        damping *= 6;
      }
    }
    if (!better) break;
  }
  return constants_at(logs);
}

std::vector<double> rows_that_answer(const std::vector<Series>& all, const Constants& constants) {
  std::vector<double> rows(unknowns);
  for (std::size_t i = 0; i < unknowns; ++i) {
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

}  // namespace commcost::accuracy
