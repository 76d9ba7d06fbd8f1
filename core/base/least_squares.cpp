#include "core/base/least_squares.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace commcost {
namespace {

using Values = std::vector<double>;

constexpr int most_rounds = 60;
constexpr int most_attempts = 10;
constexpr double longest_stride = 1;

Values values_at(const Residuals& residuals, std::span<const double> unknowns) {
  Values values(residuals.count);
  residuals.write(residuals.context, unknowns, values);
  return values;
}

double sum_of_squares(const Values& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return sum;
}

// The normal equations near one place.
struct Normal {
  Values matrix;
  Values right;
};

Normal normal_at(const Residuals& residuals, std::span<const double> unknowns, const Values& here) {
  constexpr double nudge = 1e-6;
  const std::size_t count = unknowns.size();
  std::vector<Values> slopes;
  for (std::size_t i = 0; i < count; ++i) {
    Values moved(unknowns.begin(), unknowns.end());
    moved[i] += nudge;
    slopes.push_back(values_at(residuals, moved));
    for (std::size_t p = 0; p < here.size(); ++p) slopes[i][p] = (slopes[i][p] - here[p]) / nudge;
  }
  Normal normal{Values(count * count), Values(count)};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t p = 0; p < here.size(); ++p) {
      for (std::size_t j = 0; j < count; ++j) normal.matrix[i * count + j] += slopes[i][p] * slopes[j][p];
      normal.right[i] -= slopes[i][p] * here[p];
    }
  }
  return normal;
}

// Where the equations lead, pulled back the more they are damped.
Values improved(Normal normal, std::span<const double> unknowns, double damping) {
  // Keeps an unknown that no residual depends on where it is.
  constexpr double tiny = 1e-9;
  const std::size_t count = unknowns.size();
  for (std::size_t i = 0; i < count; ++i)
    normal.matrix[i * count + i] += damping * (normal.matrix[i * count + i] + tiny);
  solve(normal.matrix, normal.right);
  Values next(unknowns.begin(), unknowns.end());
  for (std::size_t i = 0; i < count; ++i)
    next[i] += std::clamp(normal.right[i], -longest_stride, longest_stride);
  return next;
}

}  // namespace

double soft_l1(double x) {
  return 2 * (std::sqrt(1 + x * x) - 1);
}

double softened(double residual, double width) {
  return std::copysign(std::sqrt(soft_l1(residual / width)) * width, residual);
}

void solve(std::span<double> matrix, std::span<double> right) {
  const std::size_t count = right.size();
  // Gauss and Jordan's elimination: such a matrix needs no pivots.
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t row = 0; row < count; ++row) {
      if (row == i) continue;
      const double share = matrix[row * count + i] / matrix[i * count + i];
      for (std::size_t j = 0; j < count; ++j) matrix[row * count + j] -= share * matrix[i * count + j];
      right[row] -= share * right[i];
    }
  }
  for (std::size_t i = 0; i < count; ++i) right[i] /= matrix[i * count + i];
}

double least_squares(const Residuals& residuals, std::span<double> unknowns) {
  constexpr double settled = 1e-9;
  Values here = values_at(residuals, unknowns);
  double cost = sum_of_squares(here);
  double damping = 1e-2;
  for (int round = 0; round < most_rounds; ++round) {
    const Normal normal = normal_at(residuals, unknowns, here);
    bool better = false;
    for (int attempt = 0; attempt < most_attempts && !better; ++attempt) {
      const Values next = improved(normal, unknowns, damping);
      const Values there = values_at(residuals, next);
      const double there_cost = sum_of_squares(there);
      better = there_cost < cost;
      if (!better) {
        damping *= 5;
        continue;
      }
      const bool ends = cost - there_cost < settled * cost;
      std::copy(next.begin(), next.end(), unknowns.begin());
      here = there;
      cost = there_cost;
      damping = std::max(damping / 5, 1e-9);
      if (ends) return cost;
    }
    if (!better) break;
  }
  return cost;
}

}  // namespace commcost
