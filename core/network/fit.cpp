#include "core/network/fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/base/number_text.h"

namespace commcost {
namespace {

constexpr double robust_scale = 0.07;
constexpr std::size_t fewest_sizes = 4;
constexpr double narrowest_range = 4;
constexpr double least_knee =
    0.08;  // below, the curve of thousands of ranks would still bend, but nobody could tell
constexpr double greatest_knee = 4;
constexpr int most_rounds = 60;

/// Logarithms of the unknowns of a fit.
constexpr std::size_t most_unknowns = 3;
using Logs = std::array<double, most_unknowns>;

/// What a fit brings near zero: the residual of a point at some unknowns. Not a template, so that the fits
/// share code.
struct Residuals {
  std::size_t unknowns;
  std::size_t points;
  const void* context;
  double (*of)(const void* context, const Logs& at, std::size_t point);
};

template <class Function>
Residuals residuals_of(std::size_t unknowns, std::size_t points, const Function& function) {
  return {unknowns, points, &function, [](const void* context, const Logs& at, std::size_t point) {
            return (*static_cast<const Function*>(context))(at, point);
          }};
}

double softened(double residual) {
  const double scaled = residual / robust_scale;
  return std::copysign(std::sqrt(2 * (std::sqrt(1 + scaled * scaled) - 1)) * robust_scale, residual);
}

double cost_at(const Residuals& residuals, const Logs& at) {
  double sum = 0;
  for (std::size_t p = 0; p < residuals.points; ++p) {
    const double r = softened(residuals.of(residuals.context, at, p));
    sum += r * r;
  }
  return sum;
}

/// Gauss-Jordan elimination of a positive definite system, in place: the solution replaces `right`.
void solve(std::array<Logs, most_unknowns>& matrix, Logs& right, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t row = 0; row < count; ++row) {
      if (row == i) continue;
      const double share = matrix[row][i] / matrix[i][i];
      for (std::size_t j = 0; j < count; ++j) matrix[row][j] -= share * matrix[i][j];
      right[row] -= share * right[i];
    }
  }
  for (std::size_t i = 0; i < count; ++i) right[i] /= matrix[i][i];
}

/// Levenberg and Marquardt's method; returns the cost reached.
double least_squares(const Residuals& residuals, Logs& unknowns) {
  const std::size_t count = residuals.unknowns;
  double cost = cost_at(residuals, unknowns);
  double damping = 1e-2;
  for (int round = 0; round < most_rounds; ++round) {
    std::array<Logs, most_unknowns> normal{};
    Logs gradient{};
    for (std::size_t p = 0; p < residuals.points; ++p) {
      constexpr double nudge = 1e-6;
      const double here = softened(residuals.of(residuals.context, unknowns, p));
      Logs slope{};
      for (std::size_t i = 0; i < count; ++i) {
        Logs moved = unknowns;
        moved[i] += nudge;
        slope[i] = (softened(residuals.of(residuals.context, moved, p)) - here) / nudge;
      }
      for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < count; ++j) normal[i][j] += slope[i] * slope[j];
        gradient[i] -= slope[i] * here;
      }
    }
    bool better = false;
    for (int attempt = 0; attempt < 10 && !better; ++attempt) {
      std::array<Logs, most_unknowns> matrix = normal;
      Logs step = gradient;
      for (std::size_t i = 0; i < count; ++i) matrix[i][i] += damping * (normal[i][i] + 1e-9);
      solve(matrix, step, count);
      Logs next = unknowns;
      for (std::size_t i = 0; i < count; ++i) next[i] += std::clamp(step[i], -1.0, 1.0);
      const double there = cost_at(residuals, next);
      if (there < cost) {
        better = true;
        const bool settled = cost - there < 1e-9 * cost;
        unknowns = next;
        cost = there;
        damping = std::max(damping / 5, 1e-9);
        if (settled) return cost;
      } else {
        damping *= 5;
      }
    }
    if (!better) break;
  }
  return cost;
}

// Heaps sort as fast as a log is read, in a fraction of the code of std::sort.
double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::make_heap(values.begin(), values.end());
  std::sort_heap(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

bool smaller(const TimedMessage& a, const TimedMessage& b) {
  return a.message_size_bytes < b.message_size_bytes;
}

/// Each size once, ascending, with the geometric mean of its times.
std::vector<TimedMessage> by_size(std::span<const TimedMessage> points) {
  std::vector<TimedMessage> sorted;
  for (const TimedMessage& point : points) {
    if (point.message_size_bytes > 0 && point.time_us > 0) sorted.push_back(point);
  }
  std::make_heap(sorted.begin(), sorted.end(), smaller);
  std::sort_heap(sorted.begin(), sorted.end(), smaller);
  std::vector<TimedMessage> knots;
  for (std::size_t i = 0; i < sorted.size();) {
    double sum = 0;
    std::size_t next = i;
    for (; next < sorted.size() && sorted[next].message_size_bytes == sorted[i].message_size_bytes; ++next) {
      sum += std::log(sorted[next].time_us);
    }
    knots.push_back({sorted[i].message_size_bytes, std::exp(sum / static_cast<double>(next - i))});
    i = next;
  }
  return knots;
}

double residual_at(const FittedCurve& curve, const TimedMessage& knot) {
  return std::log(knot.time_us / curve.time_us(knot.message_size_bytes));
}

/// The log residual between two knots, by a straight line over log size.
double between(const FittedCurve& curve, const TimedMessage& below, const TimedMessage& above, double size) {
  const double share = std::log(size / below.message_size_bytes) /
                       std::log(above.message_size_bytes / below.message_size_bytes);
  const double low = residual_at(curve, below);
  return low + share * (residual_at(curve, above) - low);
}

FittedCurve curve_at(const Logs& unknowns) {
  return {std::exp(unknowns[0]), std::exp(unknowns[1]),
          std::clamp(std::exp(unknowns[2]), least_knee, greatest_knee)};
}

}  // namespace

double FittedCurve::time_us(double message_size_bytes) const {
  const double transfer = message_size_bytes / (bandwidth_gb_per_sec * 1e3);
  // Divided by the greater term, so that no power overflows.
  const double greater = std::max(latency_us, transfer);
  const double smaller = std::min(latency_us, transfer);
  return greater * std::pow(1 + std::pow(smaller / greater, knee), 1 / knee);
}

double LogFit::time_us(double message_size_bytes) const {
  const double on_curve = curve.time_us(message_size_bytes);
  if (knots.empty()) return on_curve;
  if (message_size_bytes <= knots.front().message_size_bytes) {
    return on_curve * std::exp(residual_at(curve, knots.front()));
  }
  if (message_size_bytes >= knots.back().message_size_bytes) {
    return on_curve * std::exp(residual_at(curve, knots.back()));
  }
  const auto above =
      std::upper_bound(knots.begin(), knots.end(), message_size_bytes,
                       [](double size, const TimedMessage& knot) { return size < knot.message_size_bytes; });
  return on_curve * std::exp(between(curve, *(above - 1), *above, message_size_bytes));
}

Outcome<LogFit> fit_curve(std::span<const TimedMessage> points) {
  LogFit fit;
  fit.knots = by_size(points);
  const std::vector<TimedMessage>& knots = fit.knots;
  if (knots.size() < fewest_sizes) {
    return Problem{"log", ProblemCode::malformed,
                   "log must hold at least " + text_of(static_cast<double>(fewest_sizes)) +
                       " message sizes; got " + text_of(static_cast<double>(knots.size())),
                   "the output of nccl-tests or rccl-tests"};
  }
  if (knots.back().message_size_bytes < narrowest_range * knots.front().message_size_bytes) {
    return Problem{"log", ProblemCode::malformed,
                   "log must hold message sizes that differ by a factor of 4 or more; got " +
                       text_of(knots.front().message_size_bytes) + " to " +
                       text_of(knots.back().message_size_bytes) + " bytes",
                   "the output of nccl-tests or rccl-tests"};
  }
  double best = -1;
  const double bandwidth = knots.back().message_size_bytes / (knots.back().time_us * 1e3);
  const auto residual = [&](const Logs& at, std::size_t p) { return -residual_at(curve_at(at), knots[p]); };
  for (const double knee : {0.25, 0.55, 1.1}) {
    Logs unknowns{std::log(knots.front().time_us), std::log(bandwidth), std::log(knee)};
    const double cost = least_squares(residuals_of(3, knots.size(), residual), unknowns);
    if (best < 0 || cost < best) {
      best = cost;
      fit.curve = curve_at(unknowns);
    }
  }
  std::vector<double> errors;
  std::vector<double> cross;
  for (std::size_t i = 0; i < knots.size(); ++i) {
    errors.push_back(std::abs(std::expm1(-residual_at(fit.curve, knots[i]))));
    if (i == 0 || i + 1 == knots.size()) continue;
    const double guessed = between(fit.curve, knots[i - 1], knots[i + 1], knots[i].message_size_bytes);
    cross.push_back(std::abs(std::expm1(guessed - residual_at(fit.curve, knots[i]))));
  }
  fit.median_error_percent = 100 * median(std::move(errors));
  fit.cross_error_percent = 100 * median(std::move(cross));
  return fit;
}

FittedScales fit_scales(const Curve& predicted, std::span<const TimedMessage> points) {
  const std::vector<TimedMessage> knots = by_size(points);
  const auto scaled = [&](const Logs& at) {
    return predicted.calibrated({std::exp(at[0]), std::exp(at[1])});
  };
  const auto residual = [&](const Logs& at, std::size_t p) {
    return std::log(scaled(at).time_us(knots[p].message_size_bytes) / knots[p].time_us);
  };
  Logs unknowns{};
  least_squares(residuals_of(2, knots.size(), residual), unknowns);
  const Curve fitted = scaled(unknowns);
  std::vector<double> errors;
  for (const TimedMessage& knot : knots) {
    errors.push_back(std::abs(fitted.time_us(knot.message_size_bytes) / knot.time_us - 1));
  }
  return {std::exp(unknowns[0]), std::exp(unknowns[1]), 100 * median(std::move(errors))};
}

}  // namespace commcost
