#include "core/network/loggp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/collective/bus_bandwidth.h"

namespace commcost {
namespace {

LogGp model_of(double ranks, double latency_us, double overhead_us, double gap_us, double gap_per_byte_ns) {
  LogGp model;
  model.ranks = ranks;
  model.latency_us = latency_us;
  model.overhead_us = overhead_us;
  model.gap_us = gap_us;
  model.gap_per_byte_ns = gap_per_byte_ns;
  return model;
}

std::vector<TimedMessage> timed_by(const LogGp& model, Collective collective) {
  std::vector<TimedMessage> points;
  for (double size = 1024; size <= 0x1p33; size *= 2)
    points.push_back({size, loggp_us(model, collective, size)});
  return points;
}

TEST(LogGp, RecoversTheModelThatMadeThePoints) {
  const LogGp made = model_of(8, 0.6, 2.2, 3, 0.005);
  for (const Collective collective : {Collective::all_reduce, Collective::all_gather}) {
    const LogGp fit = fit_loggp(timed_by(made, collective), collective, 8, 0.6);
    EXPECT_NEAR(fit.latency_us, made.latency_us, 1e-9);
    EXPECT_NEAR(fit.overhead_us / made.overhead_us, 1, 1e-3);
    EXPECT_NEAR(fit.gap_us / made.gap_us, 1, 1e-2);
    EXPECT_NEAR(fit.gap_per_byte_ns / made.gap_per_byte_ns, 1, 1e-2);
    EXPECT_TRUE(fit.differs);
    EXPECT_LT(fit.error_percent, fit.hockney_error_percent);
  }
}

// Messages that follow each other without a gap: Hockney's model says all there is.
TEST(LogGp, SaysNothingElseWhereHockneysModelHolds) {
  const LogGp made = model_of(16, 1, 2, 0, 0.01);
  const LogGp fit = fit_loggp(timed_by(made, Collective::all_reduce), Collective::all_reduce, 16, 1);
  EXPECT_FALSE(fit.differs);
  EXPECT_NEAR(fit.alpha_us, 5, 1e-3);
  EXPECT_NEAR(fit.bandwidth_gb_per_sec, 100, 0.1);
}

// By hand: two ranks sum 4 MiB in two rounds of 2 MiB, each four slices of 512 KiB.
TEST(LogGp, CountsRoundsAndSlices) {
  const LogGp model = model_of(2, 1, 2, 7, 0.01);
  EXPECT_NEAR(loggp_us(model, Collective::all_reduce, 4194304), 2 * (5 + 2097152 * 0.01e-3 + 3 * 7), 1e-9);
}

TEST(LogGp, NeedsRanksAndFourSizes) {
  EXPECT_EQ(fit_loggp({}, Collective::all_reduce, 8, 1).gap_per_byte_ns, 0);
  const LogGp made = model_of(8, 0, 1, 0, 0.01);
  EXPECT_EQ(fit_loggp(timed_by(made, Collective::all_reduce), Collective::all_reduce, 1, 1).gap_per_byte_ns,
            0);
}

}  // namespace
}  // namespace commcost
