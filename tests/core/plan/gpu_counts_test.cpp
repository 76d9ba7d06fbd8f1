#include "core/plan/gpu_counts.h"

#include <gtest/gtest.h>

#include <ostream>

namespace commcost {
namespace {

struct Case {
  const char* name;
  std::int64_t cluster_gpus;
  std::int64_t gpus_per_node;
  std::vector<std::int64_t> counts;
};
void PrintTo(const Case& one, std::ostream* out) {
  *out << one.name;
}

class GpuCounts : public testing::TestWithParam<Case> {};

TEST_P(GpuCounts, HalveIntoWholeNodesThenIntoPowersOfTwo) {
  std::vector<std::int64_t> counts = GetParam().counts;
  for (const std::int64_t times : {2, 4, 8, 16}) counts.push_back(times * GetParam().cluster_gpus);
  EXPECT_EQ(gpu_counts(GetParam().cluster_gpus, GetParam().gpus_per_node, 1048576), counts);
}

INSTANTIATE_TEST_SUITE_P(Plan, GpuCounts,
                         testing::Values(Case{"one", 1, 8, {1}}, Case{"one_node", 8, 8, {1, 2, 4, 8}},
                                         Case{"nodes", 64, 8, {1, 2, 4, 8, 16, 32, 64}},
                                         Case{"odd_nodes", 96, 8, {1, 2, 4, 8, 16, 24, 48, 96}},
                                         Case{"nodes_of_six", 24, 6, {1, 2, 3, 6, 12, 24}},
                                         Case{"a_node_and_a_half", 12, 8, {1, 2, 4, 8, 12}},
                                         Case{"prime", 13, 8, {1, 2, 4, 8, 13}}));

TEST(GpuCounts, AreFewForAnyNumber) {
  for (std::int64_t count = 1; count <= 1048576; count = count * 5 / 3 + 1)
    EXPECT_LE(gpu_counts(count, 8, 1048576).size(), 44u) << count;
}

TEST(GpuCounts, EndAtTheGreatestThatMayBe) {
  EXPECT_EQ(gpu_counts(8, 8, 40), (std::vector<std::int64_t>{1, 2, 4, 8, 16, 32}));
}

}  // namespace
}  // namespace commcost
