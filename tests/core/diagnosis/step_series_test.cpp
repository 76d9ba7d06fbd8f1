#include "core/diagnosis/step_series.h"

#include <gtest/gtest.h>

#include <vector>

namespace commcost {
namespace {

TEST(StepSeries, OfNothingIsNothing) {
  EXPECT_EQ(step_series({}).steps, 0);
}

TEST(StepSeries, TheFirstStepIsNotCountedUnlessItIsTheOnlyOne) {
  const double several[] = {900, 100, 100};
  EXPECT_EQ(step_series(several).mean_ms, 100);
  EXPECT_EQ(step_series(several).steps, 2);
  const double two[] = {900, 100};
  EXPECT_EQ(step_series(two).mean_ms, 100);
  const double one[] = {900};
  EXPECT_EQ(step_series(one).mean_ms, 900);
}

TEST(StepSeries, PartsOfTheMeanAddUpToIt) {
  std::vector<double> times = {1000, 300, 300};
  for (int at = 3; at < 60; ++at) times.push_back(at % 10 == 9 ? 400 : 100);
  const StepSeries found = step_series(times);
  EXPECT_EQ(found.warm_up_steps, 2);
  EXPECT_EQ(found.stalled_steps, 6);
  EXPECT_EQ(found.stall_every, 10);
  EXPECT_EQ(found.usual_ms, 100);
  EXPECT_EQ(found.longest_stall, 10);
  EXPECT_EQ(found.longest_stall_ms, 400);
  EXPECT_NEAR(found.usual_ms + found.warm_up_ms + found.stalls_ms + found.drift_ms, found.mean_ms, 1e-9);
}

TEST(StepSeries, StallsAtRandomHaveNoPeriod) {
  std::vector<double> times(60, 100);
  for (const std::size_t at : {5U, 8U, 31U, 50U}) times[at] = 300;
  EXPECT_EQ(step_series(times).stalled_steps, 4);
  EXPECT_EQ(step_series(times).stall_every, 0);
}

// A tenth sooner or later is the same period, and one in four may be quite another.
TEST(StepSeries, StallsNeedNotBeRegularToTheStep) {
  const auto period = [](std::vector<std::size_t> places) {
    std::vector<double> times(300, 100);
    for (const std::size_t at : places) times[at] = 300;
    return step_series(times).stall_every;
  };
  EXPECT_EQ(period({40, 80, 124, 164, 208, 248}), 40);
  EXPECT_EQ(period({40, 80, 126, 166, 212, 252}), 0);
  EXPECT_EQ(period({40, 80, 180, 220, 260}), 40);
  EXPECT_EQ(period({40, 80, 180, 220}), 0);
  EXPECT_EQ(period({5, 8, 12, 15, 19}), 3.5);  // a step sooner or later is nothing
}

TEST(StepSeries, ARiseIsADriftAndAStepUpAndDownIsNot) {
  std::vector<double> rising;
  std::vector<double> hill;
  for (int at = 0; at < 90; ++at) {
    rising.push_back(100 + at / 3.0);
    hill.push_back(at >= 30 && at < 60 ? 130 : 100);
  }
  const StepSeries found = step_series(rising);
  EXPECT_GT(found.drift_percent, 15);
  EXPECT_NEAR(found.usual_ms, 100, 1);
  EXPECT_EQ(step_series(hill).drift_percent, 0);
}

// 61 steps of 100 ms, of which the first is not counted, with some of others.
std::vector<double> with(std::size_t begin, std::size_t end, double ms) {
  std::vector<double> times(61, 100);
  for (std::size_t at = begin; at < end; ++at) times[at] = ms;
  return times;
}

TEST(StepSeries, AThirdOfALogMayBeWarmUpAndNoMore) {
  EXPECT_EQ(step_series(with(1, 21, 130)).warm_up_steps, 20);
  EXPECT_EQ(step_series(with(1, 22, 130)).warm_up_steps, 0);
  EXPECT_EQ(step_series(with(1, 21, 130)).warm_up_ms, 10);
}

TEST(StepSeries, AStallTakesMoreThanHalfAsLongAgainAndItsPeriodNeedsThree) {
  EXPECT_EQ(step_series(with(30, 31, 150)).stalled_steps, 0);
  EXPECT_EQ(step_series(with(30, 31, 151)).stalled_steps, 1);
  std::vector<double> times = with(20, 21, 200);
  times[40] = 200;
  EXPECT_EQ(step_series(times).stall_every, 0);
  times[60] = 250;
  EXPECT_EQ(step_series(times).stall_every, 20);
  EXPECT_EQ(step_series(times).longest_stall, 61);
}

TEST(StepSeries, ThirtyStepsShowADriftAndFewerDoNot) {
  const auto drift = [](int counted) {
    std::vector<double> times = {900};
    for (int at = 0; at < counted; ++at) times.push_back(100 + at);
    return step_series(times).drift_percent;
  };
  EXPECT_EQ(drift(29), 0);
  // Medians of the first and the last ten: 104.5 and 124.5.
  EXPECT_NEAR(drift(30), 100 * (124.5 / 104.5 - 1), 1e-9);
}

TEST(StepSeries, EightTenthsOfCalmStepsLieBetweenLowAndHigh) {
  std::vector<double> times = {900};
  for (int at = 0; at <= 10; ++at) times.push_back(200 + (at * 7 % 11));
  EXPECT_NEAR(step_series(times).low_ms, 201, 1e-9);
  EXPECT_NEAR(step_series(times).high_ms, 209, 1e-9);
}

TEST(StepSeries, ALogThatIsHalfSlowHasNoWarmUp) {
  std::vector<double> times(40, 100);
  for (std::size_t at = 0; at < 19; ++at) times[at] = 130;
  EXPECT_EQ(step_series(times).warm_up_steps, 0);
}

}  // namespace
}  // namespace commcost
