#include "core/network/measurements.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "core/hardware/accelerators.h"
#include "support/csv.h"

namespace commcost {
namespace {

TEST(Measurements, AreTheRowsOfTheTables) {
  // The mean of the logarithms, by source, collective, ranks and size.
  std::map<std::string, std::map<double, std::pair<double, int>>> expected;
  for (const test::CsvRow& row : test::read_csv(test::data_file("measured_collectives.csv"))) {
    const double time = row.number("time_us");
    const double size = row.number("size_bytes");
    if (time <= 0 || size <= 0) continue;
    auto& [sum, count] = expected[row.at("source_id") + row.at("collective") + row.at("ranks")][size];
    sum += std::log(time);
    ++count;
  }
  std::size_t compared = 0;
  for (const PackedSeries& packed : packed_series()) {
    EXPECT_NE(find_fabric(packed.accelerator), nullptr) << packed.id;
    EXPECT_FALSE(packed.source.empty()) << packed.id;
    const MeasuredPoints points = points_of(packed);
    ASSERT_EQ(points.message_size_bytes.size(), points.time_us.size()) << packed.id;
    ASSERT_FALSE(points.time_us.empty()) << packed.id;
    const auto found = expected.find(std::string(packed.id) + std::string(name_of(packed.collective)) +
                                     std::to_string(static_cast<int>(packed.num_gpus)));
    if (found == expected.end()) continue;  // those that publish bandwidths alone, and the ranks table
    ASSERT_EQ(points.time_us.size(), found->second.size()) << packed.id;
    std::size_t i = 0;
    for (const auto& [size, sum] : found->second) {
      EXPECT_NEAR(points.message_size_bytes[i] / size, 1, 1e-4) << packed.id;
      EXPECT_NEAR(points.time_us[i] / std::exp(sum.first / sum.second), 1, 0.003) << packed.id << ' ' << size;
      ++i;
      ++compared;
    }
  }
  EXPECT_GT(compared, 1500u);
}

}  // namespace
}  // namespace commcost
