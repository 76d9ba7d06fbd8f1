#include "core/network/fit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "core/base/least_squares.h"
#include "core/base/natural_log.h"
#include "core/base/number_text.h"
#include "core/base/statistics.h"

namespace commcost {
namespace {

constexpr double robust_width = 0.07;
constexpr std::size_t fewest_sizes = 4;
constexpr double narrowest_range = 4;
constexpr double least_knee =
    0.08;  // below, the curve of thousands of ranks would still bend, but not measurably
constexpr double greatest_knee = 4;

/// Logarithms of the unknowns of a fit.
using Logs = std::span<const double>;

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
      sum += natural_log(sorted[next].time_us);
    }
    knots.push_back({sorted[i].message_size_bytes, natural_exp(sum / static_cast<double>(next - i))});
    i = next;
  }
  return knots;
}

double residual_at(const FittedCurve& curve, const TimedMessage& knot) {
  return natural_log(knot.time_us / curve.time_us(knot.message_size_bytes));
}

/// The log residual between two knots, by a straight line over log size.
double between(const FittedCurve& curve, const TimedMessage& below, const TimedMessage& above, double size) {
  const double share = natural_log(size / below.message_size_bytes) /
                       natural_log(above.message_size_bytes / below.message_size_bytes);
  const double low = residual_at(curve, below);
  return low + share * (residual_at(curve, above) - low);
}

FittedCurve curve_at(Logs unknowns) {
  return {natural_exp(unknowns[0]), natural_exp(unknowns[1]),
          std::clamp(natural_exp(unknowns[2]), least_knee, greatest_knee)};
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
    return on_curve * natural_exp(residual_at(curve, knots.front()));
  }
  if (message_size_bytes >= knots.back().message_size_bytes) {
    return on_curve * natural_exp(residual_at(curve, knots.back()));
  }
  const auto above =
      std::upper_bound(knots.begin(), knots.end(), message_size_bytes,
                       [](double size, const TimedMessage& knot) { return size < knot.message_size_bytes; });
  return on_curve * natural_exp(between(curve, *(above - 1), *above, message_size_bytes));
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
  const auto residuals = [&](Logs at, std::span<double> left) {
    const FittedCurve curve = curve_at(at);
    for (std::size_t p = 0; p < knots.size(); ++p)
      left[p] = softened(-residual_at(curve, knots[p]), robust_width);
  };
  for (const double knee : {0.25, 0.55, 1.1}) {
    std::array unknowns = {natural_log(knots.front().time_us), natural_log(bandwidth), natural_log(knee)};
    const double cost = least_squares(residuals_of(knots.size(), residuals), unknowns);
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
  const auto scaled = [&](Logs at) { return predicted.calibrated({natural_exp(at[0]), natural_exp(at[1])}); };
  const auto residuals = [&](Logs at, std::span<double> left) {
    const Curve curve = scaled(at);
    for (std::size_t p = 0; p < knots.size(); ++p)
      left[p] =
          softened(natural_log(curve.time_us(knots[p].message_size_bytes) / knots[p].time_us), robust_width);
  };
  std::array unknowns = {0.0, 0.0};
  least_squares(residuals_of(knots.size(), residuals), unknowns);
  const Curve fitted = scaled(unknowns);
  std::vector<double> errors;
  for (const TimedMessage& knot : knots) {
    errors.push_back(std::abs(fitted.time_us(knot.message_size_bytes) / knot.time_us - 1));
  }
  return {natural_exp(unknowns[0]), natural_exp(unknowns[1]), 100 * median(std::move(errors))};
}

}  // namespace commcost
