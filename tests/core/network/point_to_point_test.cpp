#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/base/statistics.h"
#include "core/network/link_use.h"
#include "core/network/predict.h"
#include "support/csv.h"

namespace commcost {
namespace {

// Rates of public measurements: all within the band, and how far those are off that no constant saw.
TEST(PointToPoint, IsJudgedOnMeasuredRates) {
  std::vector<double> errors;
  for (const auto& row : test::read_csv(test::data_file("measured_point_to_point.csv"))) {
    const Fabric* fabric = find_fabric(row.at("accelerator"));
    ASSERT_NE(fabric, nullptr) << row.at("accelerator");
    const GpuGroup group = group_of(*fabric, 2, std::stod(row.at("gpus_per_node")), 25);
    const double measured = std::stod(row.at("gb_per_sec"));
    const Prediction predicted = predictor_of(group, Collective::send_receive).at(0x1p33);
    const double measured_us = 0x1p33 / (measured * 1e3);
    EXPECT_GE(measured_us, predicted.low_us) << row.at("source");
    EXPECT_LE(measured_us, predicted.high_us) << row.at("source");
    EXPECT_EQ(basis_of(group, Collective::send_receive), Basis::estimated);
    if (row.at("fitted") == "0") errors.push_back(std::abs(predicted.time_us / measured_us - 1));
  }
  ASSERT_EQ(errors.size(), 4u);
  EXPECT_LT(median(errors), 0.16);
}

// No more than all of a link: for every accelerator, collective, group and size.
TEST(LinkUse, IsNeverMoreThanTheLinkCarries) {
  for (const Accelerator& accelerator : all_accelerators()) {
    for (int kind = 0; kind < static_cast<int>(std::size(collective_names)); ++kind) {
      const auto collective = static_cast<Collective>(kind);
      if (collective == Collective::barrier) continue;
      for (const double gpus : {2.0, 4.0, 8.0, 16.0, 64.0}) {
        const GpuGroup group = group_of(accelerator.fabric, gpus, 8, 25);
        const Predictor predictor = predictor_of(group, collective);
        for (const double size : {1024.0, 1e6, 1e10}) {
          const LinkUse use = link_use(group, collective, predictor.algorithm, size);
          const double time = predictor.at(size).time_us;
          EXPECT_LE(use.link_us, time * (1 + 1e-9))
              << accelerator.id << " " << collective_names[kind] << gpus;
          EXPECT_LE(use.network_us, time * (1 + 1e-9))
              << accelerator.id << " " << collective_names[kind] << gpus;
          EXPECT_GT(use.link_us + use.network_us, 0) << accelerator.id << " " << collective_names[kind];
        }
      }
    }
  }
}

// By hand: a ring all-reduce of 8 GPUs sends 7/4 of the message; 436 GB/s of bus bandwidth of 450 GB/s links
// would be 97 %.
TEST(LinkUse, OfARingIsItsBusBandwidthOverTheLinksRate) {
  const GpuGroup group = group_of(*find_fabric("a100-sxm-80gb"), 8, 8, 25);
  const Predictor predictor = predictor_of(group, Collective::all_reduce);
  const Prediction predicted = predictor.at(1e9);
  const LinkUse use = link_use(group, Collective::all_reduce, predictor.algorithm, 1e9);
  EXPECT_NEAR(use.link_us / predicted.time_us, predicted.bus_bandwidth_gb_per_sec / 300, 1e-9);
}

}  // namespace
}  // namespace commcost
