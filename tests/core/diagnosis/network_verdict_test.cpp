#include "core/diagnosis/network_verdict.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/diagnosis/calibrated_part.h"
#include "core/network/collective_timer.h"
#include "core/network/predict.h"
#include "support/jobs.h"
#include "support/network_log.h"

namespace commcost {
namespace {

using test::network_log;
using test::of_system;

double on_time(double) {
  return 1;
}

TEST(NetworkVerdict, AMachineAsOthersIsAsExpected) {
  for (const char* id : {"dgx-a100", "dgx-h100", "dgx-b200"}) {
    for (const double gpus : {8.0, 64.0}) {
      const Machine machine = of_system(id);
      const NetworkFinding found = judge(network_log(machine, gpus, on_time), machine);
      EXPECT_EQ(found.verdict, NetworkVerdict::as_expected) << id;
      EXPECT_EQ(found.suspect, NetworkSuspect::none) << id;
    }
  }
}

// By other ways: the sizes are the log's; times and bands are predict's; ratios and the share follow from
// them.
TEST(NetworkVerdict, IsOfTheTimesThatItGives) {
  const Machine machine = of_system("dgx-h100");
  NetworkLog log = network_log(machine, 32, [](double size) { return size > 1e6 ? 1.7 : 1.0; });
  // Sizes in any order, and one of them twice.
  std::reverse(log.points.begin(), log.points.end());
  log.points.push_back(log.points.front());
  const NetworkFinding found = judge(log, machine);
  ASSERT_EQ(found.message_sizes_bytes.size(), log.points.size() - 1);
  ASSERT_EQ(found.expected_us.size(), found.message_sizes_bytes.size());
  EXPECT_TRUE(std::is_sorted(found.message_sizes_bytes.begin(), found.message_sizes_bytes.end()));
  const Fabric fabric = fabric_of(machine);
  const Predictor predictor = predictor_of(group_of(machine, fabric, 32), Collective::all_reduce);
  double within = 0;
  for (std::size_t at = 0; at < found.message_sizes_bytes.size(); ++at) {
    const Prediction prediction = predictor.at(found.message_sizes_bytes[at]);
    EXPECT_EQ(found.expected_us[at], prediction.time_us);
    EXPECT_EQ(found.low_us[at], prediction.low_us);
    EXPECT_EQ(found.high_us[at], prediction.high_us);
  }
  for (const TimedMessage& point : log.points) {
    const Prediction prediction = predictor.at(point.message_size_bytes);
    within += prediction.low_us <= point.time_us && point.time_us <= prediction.high_us ? 1 : 0;
  }
  EXPECT_GT(within, 0);
  EXPECT_LT(within, static_cast<double>(log.points.size()));
  EXPECT_NEAR(found.in_band_percent, 100 * within / static_cast<double>(log.points.size()), 1e-9);
  EXPECT_NEAR(found.large_ratio, 1.7, 0.05);
  EXPECT_NEAR(found.small_ratio, 1, 0.05);
  EXPECT_NEAR(found.bus_factor, 2 * 31.0 / 32, 1e-12);
}

// A time at either edge of the band lies within it, and the next beyond does not.
TEST(NetworkVerdict, ABandHoldsItsEdges) {
  const Machine machine = of_system("dgx-h100");
  const Fabric fabric = fabric_of(machine);
  const Predictor predictor = predictor_of(group_of(machine, fabric, 8), Collective::all_reduce);
  NetworkLog log{Collective::all_reduce, 8, {}};
  for (double size = 1 << 20; size <= 1 << 27; size *= 2) {
    const Prediction prediction = predictor.at(size);
    for (const double edge : {prediction.low_us, prediction.high_us}) log.points.push_back({size, edge});
    log.points.push_back({size, std::nextafter(prediction.low_us, 0)});
    log.points.push_back({size, std::nextafter(prediction.high_us, 1e9)});
  }
  EXPECT_EQ(judge(log, machine).in_band_percent, 50);
}

TEST(NetworkVerdict, BitsForBytesAreAUnit) {
  const Machine machine = of_system("dgx-h100");
  Machine real = machine;
  real.nic_gb_per_sec /= 8;
  const NetworkFinding found = judge(network_log(real, 64, on_time), machine);
  EXPECT_EQ(found.verdict, NetworkVerdict::slower);
  EXPECT_EQ(found.suspect, NetworkSuspect::unit);
  // Eight times slower may also be data that takes the way through the host.
  EXPECT_EQ(found.other_suspect, NetworkSuspect::no_gpudirect);
}

TEST(NetworkVerdict, SwitchesThatDoNotReduceAreNamed) {
  const Machine machine = of_system("dgx-h100");
  Machine real = machine;
  real.in_network_reduction = SwitchReduction::off;
  const NetworkFinding found = judge(network_log(real, 8, on_time), machine);
  EXPECT_EQ(found.verdict, NetworkVerdict::slower);
  EXPECT_EQ(found.suspect, NetworkSuspect::no_nvls);
}

TEST(NetworkVerdict, AnotherLaunchModeIsNamedWhereSmallMessagesAreLate) {
  const Machine machine = of_system("dgx-h100");
  Machine real = machine;
  real.launch = Launch::one_thread;
  NetworkLog log = network_log(real, 8, on_time);
  // Of small messages alone, where launching is what counts.
  log.points.resize(6);
  const NetworkFinding found = judge(log, machine);
  EXPECT_NE(found.verdict, NetworkVerdict::as_expected);
  EXPECT_EQ(found.suspect, NetworkSuspect::launch_mode);
}

TEST(NetworkVerdict, AForcedProtocolIsLateAtOneEnd) {
  const Machine machine = of_system("dgx-a100");
  const auto low_latency = [](double size) { return size > 1e6 ? 2.2 : 1.0; };
  const NetworkFinding found = judge(network_log(machine, 8, low_latency), machine);
  EXPECT_EQ(found.verdict, NetworkVerdict::slower);
  EXPECT_EQ(found.suspect, NetworkSuspect::protocol);
}

TEST(NetworkVerdict, ASlowNodeAndMissingGpudirectAreNotToldApartByOneLog) {
  const Machine machine = of_system("dgx-h100");
  const auto half = [](double size) { return 1 + std::min(1.0, size / 1e8); };
  const NetworkFinding found = judge(network_log(machine, 32, half), machine);
  EXPECT_EQ(found.verdict, NetworkVerdict::slower);
  EXPECT_EQ(found.suspect, NetworkSuspect::one_slow_node);
  EXPECT_EQ(found.other_suspect, NetworkSuspect::no_gpudirect);
  const auto quarter = [](double size) { return 1 + std::min(3.0, size / 3e7); };
  EXPECT_EQ(judge(network_log(machine, 32, quarter), machine).suspect, NetworkSuspect::no_gpudirect);
}

TEST(NetworkVerdict, ALogOfSeveralNodesCalibratesTheNetworkAndOneOfANodeTheLinks) {
  const Machine machine = of_system("dgx-h100");
  Machine slow = machine;
  slow.nic_gb_per_sec /= 2;
  const NetworkFinding nodes = judge(network_log(slow, 64, on_time, Collective::all_gather), machine);
  ASSERT_TRUE(nodes.bandwidth);
  EXPECT_EQ(nodes.bandwidth->field, "network_bandwidth_scale");
  EXPECT_NEAR(nodes.bandwidth->value, 0.5, 0.1);
  EXPECT_EQ(nodes.bandwidth->verdict, PartVerdict::offered);
  // What passes the network was predicted to be twice as fast as it was measured, and the rest as fast.
  EXPECT_GT(nodes.bandwidth->error_before_percent, 50);
  EXPECT_LT(nodes.bandwidth->error_before_percent, 100);
  EXPECT_LT(nodes.bandwidth->error_after_percent, nodes.bandwidth->error_before_percent / 2);
  Machine narrow = machine;
  narrow.bandwidth_gb_per_sec /= 2;
  const NetworkFinding node = judge(network_log(narrow, 8, on_time, Collective::all_gather), machine);
  ASSERT_TRUE(node.bandwidth);
  EXPECT_EQ(node.bandwidth->field, "link_bandwidth_scale");
  EXPECT_NEAR(node.bandwidth->value, 0.5, 0.1);
}

TEST(NetworkVerdict, LateSmallMessagesCalibrateTheLatencyAlone) {
  const Machine machine = of_system("dgx-a100");
  Machine late = machine;
  late.latency_scale = 3;
  NetworkLog log{Collective::all_gather, 8, {}};
  const CollectiveTimer timer(late);
  for (double size = 8192; size <= 8589934592.0; size *= 2)
    log.points.push_back({size, timer.time_us(log.collective, {8, 1}, size)});
  const NetworkFinding found = judge(log, machine);
  ASSERT_TRUE(found.latency && found.bandwidth);
  EXPECT_EQ(found.latency->field, "latency_scale");
  EXPECT_NEAR(found.latency->value, 3, 0.05);
  EXPECT_EQ(found.latency->verdict, PartVerdict::offered);
  EXPECT_LT(found.latency->error_after_percent, 1);
  EXPECT_EQ(found.bandwidth->verdict, PartVerdict::as_expected);
  // What neither mostly waits nor mostly travels judges neither.
  EXPECT_LT(found.latency->used + found.latency->unused + found.bandwidth->used + found.bandwidth->unused,
            static_cast<double>(log.points.size()));
}

// Of large messages alone, which all travel: every second size is used, and the others judge.
TEST(NetworkVerdict, CalibratesByEverySecondSizeOfSix) {
  const Machine machine = of_system("dgx-h100");
  const auto part = [&](std::ptrdiff_t sizes) {
    NetworkLog log = network_log(machine, 8, on_time, Collective::all_gather);
    log.points.erase(log.points.begin(), log.points.end() - sizes);
    return judge(log, machine).bandwidth;
  };
  EXPECT_FALSE(part(5));
  ASSERT_TRUE(part(6));
  ASSERT_TRUE(part(7));
  EXPECT_EQ(part(7)->used, 4);
  EXPECT_EQ(part(7)->unused, 3);
}

TEST(NetworkVerdict, WhatACalibrationInForceChangesChangesNoVerdictAndNoPart) {
  const Machine machine = of_system("dgx-h100");
  Machine slow = machine;
  slow.nic_gb_per_sec /= 2;
  const NetworkLog log = network_log(slow, 64, on_time, Collective::all_gather);
  const NetworkFinding before = judge(log, machine);
  Machine calibrated = machine;
  calibrated.network_bandwidth_scale = before.bandwidth->value;
  calibrated.latency_scale = 2;
  const NetworkFinding after = judge(log, calibrated);
  EXPECT_EQ(after.verdict, before.verdict);
  EXPECT_EQ(after.bandwidth->value, before.bandwidth->value);
}

TEST(CalibratedPart, IsOfferedWhereItPredictsTheUnusedCloser) {
  CalibratedPart part;
  part.error_before_percent = 60;
  part.error_after_percent = 5;
  EXPECT_EQ(verdict_on(part, 0.5), PartVerdict::offered);
  EXPECT_EQ(verdict_on(part, 1.02), PartVerdict::as_expected);
  part.error_after_percent = 40;
  EXPECT_EQ(verdict_on(part, 0.5), PartVerdict::still_off);
  part.error_after_percent = 60;
  EXPECT_EQ(verdict_on(part, 0.5), PartVerdict::not_better);
}

// By hand: off by a half and by double is off by double on the mean; none is off by nothing.
TEST(CalibratedPart, ErrorsAreMeansOfLogarithms) {
  const double ratios[] = {0.5, 2};
  EXPECT_NEAR(mean_error_percent(ratios), 100, 1e-9);
  EXPECT_EQ(mean_error_percent({}), 0);
}

}  // namespace
}  // namespace commcost
