#include "core/network/loggp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/base/least_squares.h"
#include "core/base/statistics.h"
#include "core/collective/bus_bandwidth.h"
#include "core/network/passes.h"

namespace commcost {
namespace {

constexpr double outlier_width = 0.07;
constexpr std::size_t fewest_points = 4;

/// Rounds of a ring, the bytes of a chunk for each byte of the message, and further slices of a chunk.
struct RoundsOfRing {
  double rounds;
  double chunk_share;

  RoundsOfRing(Collective collective, double ranks)
      : rounds(collective == Collective::send_receive ? 1 : ring_passes(collective) * (ranks - 1)),
        chunk_share(ring_sent_bytes(collective, ranks, 1) / rounds) {}

  double further(double size) const { return std::max(0.0, chunk_share * size / message_slice_bytes - 1); }
  double time_us(double message_us, double byte_us, double gap_us, double size) const {
    return rounds * (message_us + chunk_share * size * byte_us + further(size) * gap_us);
  }
};

struct RingFit {
  std::array<double, 3> logs;  // of a message's latency, a byte's time, the gap
  double squares = 0;          // of the softened residuals
  double error_percent = 0;
};

double gap_of(std::span<const double> logs) {
  return logs.size() > 2 ? std::exp(logs[2]) : 0;
}

RingFit ring_fit(const RoundsOfRing& ring, std::span<const TimedMessage> points, std::size_t unknowns) {
  const auto time = [&](std::span<const double> logs, double size) {
    return ring.time_us(std::exp(logs[0]), std::exp(logs[1]), gap_of(logs), size);
  };
  const auto residuals = [&](std::span<const double> logs, std::span<double> left) {
    for (std::size_t at = 0; at < points.size(); ++at)
      left[at] =
          softened(std::log(time(logs, points[at].message_size_bytes) / points[at].time_us), outlier_width);
  };
  const TimedMessage& least = points.front();
  const TimedMessage& most = points.back();
  const double latency = least.time_us / ring.rounds;
  const double byte = most.time_us / (ring.rounds * ring.chunk_share * most.message_size_bytes);
  RingFit best;
  best.squares = -1;
  for (const double gap : {latency / 10, latency, byte * message_slice_bytes}) {
    std::array logs = {std::log(latency), std::log(byte), std::log(gap)};
    const double squares =
        least_squares(residuals_of(points.size(), residuals), std::span<double>(logs).first(unknowns));
    if (best.squares >= 0 && squares >= best.squares) continue;
    best.squares = squares;
    best.logs = logs;
  }
  std::vector<double> errors;
  for (const TimedMessage& point : points)
    errors.push_back(std::abs(
        time(std::span<const double>(best.logs).first(unknowns), point.message_size_bytes) / point.time_us -
        1));
  best.error_percent = 100 * median(std::move(errors));
  return best;
}

// The cost of a fit: the Bayesian information criterion.
double criterion(const RingFit& fit, std::size_t points, double unknowns) {
  constexpr double exact = 1e-12;  // residuals of a model's own points
  const auto count = static_cast<double>(points);
  return count * std::log(std::max(fit.squares / count, exact)) + unknowns * std::log(count);
}

}  // namespace

double loggp_us(const LogGp& model, Collective collective, double message_size_bytes) {
  const RoundsOfRing ring(collective, model.ranks);
  return ring.time_us(model.latency_us + 2 * model.overhead_us, model.gap_per_byte_ns * 1e-3, model.gap_us,
                      message_size_bytes);
}

LogGp fit_loggp(std::span<const TimedMessage> points, Collective collective, double ranks, double hop_us) {
  LogGp model;
  model.ranks = ranks;
  if (points.size() < fewest_points || ranks < 2 || collective == Collective::barrier) return model;
  std::vector<TimedMessage> sorted(points.begin(), points.end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const TimedMessage& one, const TimedMessage& other) {
    return one.message_size_bytes < other.message_size_bytes;
  });
  sorted.erase(
      std::remove_if(sorted.begin(), sorted.end(),
                     [](const TimedMessage& one) { return one.message_size_bytes <= 0 || one.time_us <= 0; }),
      sorted.end());
  if (sorted.size() < fewest_points) return model;
  const RoundsOfRing ring(collective, ranks);
  const RingFit two = ring_fit(ring, sorted, 2);
  const RingFit three = ring_fit(ring, sorted, 3);
  const double message_us = std::exp(three.logs[0]);
  model.latency_us = std::min(hop_us, message_us);
  model.overhead_us = (message_us - model.latency_us) / 2;
  model.gap_per_byte_ns = std::exp(three.logs[1]) * 1e3;
  model.gap_us = std::exp(three.logs[2]);
  model.error_percent = three.error_percent;
  model.alpha_us = std::exp(two.logs[0]);
  model.bandwidth_gb_per_sec = 1e-3 / std::exp(two.logs[1]);
  model.hockney_error_percent = two.error_percent;
  model.differs = criterion(three, sorted.size(), 3) < criterion(two, sorted.size(), 2);
  return model;
}

}  // namespace commcost
