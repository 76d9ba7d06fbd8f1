#include "core/network/fit.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/statistics.h"
#include "core/network/measurements.h"
#include "core/network/predict.h"

namespace commcost {
namespace {

std::vector<TimedMessage> on_curve(const FittedCurve& curve) {
  std::vector<TimedMessage> points;
  for (double size = 8; size <= 0x1p33; size *= 2) points.push_back({size, curve.time_us(size)});
  return points;
}

TEST(FitCurve, RecoversTheCurveThatMadeThePoints) {
  for (const FittedCurve& made : {FittedCurve{34.7, 144, 0.56}, FittedCurve{12, 8, 1},
                                  FittedCurve{160, 53, 0.45}, FittedCurve{9, 232, 2}}) {
    const Outcome<LogFit> fit = fit_curve(on_curve(made));
    ASSERT_TRUE(fit);
    EXPECT_NEAR(fit->curve.latency_us / made.latency_us, 1, 1e-3);
    EXPECT_NEAR(fit->curve.bandwidth_gb_per_sec / made.bandwidth_gb_per_sec, 1, 1e-3);
    EXPECT_NEAR(fit->curve.knee / made.knee, 1, 1e-3);
    EXPECT_LT(fit->median_error_percent, 0.1);
  }
}

TEST(FitCurve, OutliersBarelyMoveIt) {
  const FittedCurve made{20, 100, 0.7};
  std::vector<TimedMessage> points = on_curve(made);
  points[4].time_us *= 30;
  points[20].time_us *= 4;
  const Outcome<LogFit> fit = fit_curve(points);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->curve.latency_us / made.latency_us, 1, 0.05);
  EXPECT_NEAR(fit->curve.bandwidth_gb_per_sec / made.bandwidth_gb_per_sec, 1, 0.05);
}

TEST(FitCurve, RefusesTooFewSizesAndTooNarrowARange) {
  const TimedMessage few[] = {{8, 10}, {8, 11}, {1024, 12}, {4096, 13}};
  ASSERT_FALSE(fit_curve(few));
  EXPECT_EQ(fit_curve(few).problems()[0].field, "log");
  const TimedMessage narrow[] = {{1000, 10}, {1100, 11}, {1200, 12}, {1300, 13}};
  EXPECT_FALSE(fit_curve(narrow));
  EXPECT_FALSE(fit_curve({}));
  const TimedMessage empty[] = {{0, 1}, {-1, 1}, {8, 0}, {16, -3}, {32, 1}};
  EXPECT_FALSE(fit_curve(empty));
}

TEST(LogFit, PassesThroughTheMeasuredPointsAndGoesOnBeyondThem) {
  std::vector<TimedMessage> points = on_curve({20, 100, 0.7});
  for (std::size_t i = 0; i < points.size(); i += 3) points[i].time_us *= 1.3;
  const LogFit fit = fit_curve(points).value();
  for (const TimedMessage& point : points) {
    EXPECT_NEAR(fit.time_us(point.message_size_bytes) / point.time_us, 1, 1e-9);
  }
  EXPECT_GT(fit.time_us(0x1p36), 2 * fit.time_us(0x1p34));
  EXPECT_GT(fit.time_us(0), 0);
}

TEST(LogFit, CalibratedOnEveryOtherSizeItHoldsTheOthers) {
  std::vector<double> errors[2];
  for (const PackedSeries& packed : packed_series()) {
    if (!packed.healthy) continue;
    const MeasuredPoints all = points_of(packed);
    std::vector<TimedMessage> known;
    for (std::size_t i = 0; i < all.time_us.size(); i += 2) {
      known.push_back({all.message_size_bytes[i], all.time_us[i]});
    }
    const Outcome<LogFit> fit = fit_curve(known);
    if (!fit) continue;
    const GpuGroup group = group_of(*find_fabric(packed.accelerator), packed.num_gpus, packed.gpus_per_node,
                                    packed.nic_gb_per_sec);
    for (std::size_t i = 1; i < all.time_us.size(); i += 2) {
      errors[group.spans_nodes() ? 1 : 0].push_back(
          std::abs(fit->time_us(all.message_size_bytes[i]) / all.time_us[i] - 1));
    }
  }
  ASSERT_GT(errors[0].size(), 200u);
  ASSERT_GT(errors[1].size(), 200u);
  EXPECT_LT(median(errors[0]), 0.04);
  EXPECT_LT(median(errors[1]), 0.08);
}

TEST(FitScales, RecoversTheScalesOfACurve) {
  const Curve predicted =
      predictor_of(group_of(*find_fabric("a100-sxm-80gb"), 8, 8, 0), Collective::all_reduce).curve;
  Curve made = predicted;
  made.latency_us *= 1.5;
  made.launch_us *= 1.5;
  made.ramp.fill_us *= 1.5;
  made.bytes_per_us *= 0.8;
  std::vector<TimedMessage> points;
  for (double size = 8; size <= 0x1p33; size *= 2) points.push_back({size, made.time_us(size)});
  const FittedScales scales = fit_scales(predicted, points);
  EXPECT_NEAR(scales.latency_scale, 1.5, 1e-3);
  EXPECT_NEAR(scales.bandwidth_scale, 0.8, 1e-3);
  EXPECT_LT(scales.median_error_percent, 0.1);
}

}  // namespace
}  // namespace commcost
