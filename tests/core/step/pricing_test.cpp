#include "core/step/pricing.h"

#include <gtest/gtest.h>

#include <ostream>

namespace commcost {
namespace {

Machine machine_with(std::string_view id, std::int64_t gpus_per_node, double nic_gb_per_sec) {
  return {static_cast<int>(find_accelerator(id) - all_accelerators().data()), gpus_per_node, nic_gb_per_sec};
}

const Machine dgx = machine_with("a100-sxm-80gb", 8, 25);

struct PlaceCase {
  const char* name;
  StridedGroup group;
  double ranks_per_node;
};
void PrintTo(const PlaceCase& one, std::ostream* out) {
  *out << one.name;
}

class Place : public testing::TestWithParam<PlaceCase> {};

TEST_P(Place, FillsNodesInOrder) {
  const PlaceCase& one = GetParam();
  const RankGroup group = place(one.group, dgx);
  EXPECT_EQ(group.ranks, one.group.size);
  EXPECT_EQ(group.ranks_per_node, one.ranks_per_node);
  EXPECT_EQ(group.crosses_nodes(), one.group.size > one.ranks_per_node);
}

INSTANTIATE_TEST_SUITE_P(
    Pricing, Place,
    testing::Values(PlaceCase{"inside_one_node", {4, 1}, 4}, PlaceCase{"all_of_a_node", {8, 1}, 8},
                    PlaceCase{"two_nodes", {16, 1}, 8}, PlaceCase{"every_second", {16, 2}, 4},
                    PlaceCase{"one_a_node", {16, 8}, 1}, PlaceCase{"strides_beyond_a_node", {4, 32}, 1}));

TEST(Pricing, ARackIsOneDomainWhateverANodeIs) {
  EXPECT_EQ(scale_up_domain(machine_with("gb200", 4, 50)), 72);
  EXPECT_EQ(scale_up_domain(dgx), 8);
}

TEST(Pricing, OneRankAndNoBytesAreFree) {
  const Pricing pricing(dgx, {});
  EXPECT_EQ(pricing.us(Collective::all_reduce, {1, 1}, 1e9), 0);
  EXPECT_EQ(pricing.us(Collective::all_reduce, {8, 8}, 0), 0);
}

TEST(Pricing, TakesAtLeastTheLineRate) {
  const Pricing pricing(dgx, {});
  // A ring of eight over 300 GB/s one way.
  EXPECT_GE(pricing.us(Collective::all_reduce, {8, 8}, 1e9), 2 * 7.0 / 8 * 1e9 / 300e3);
  // Two nodes of one GPU each over 25 GB/s.
  EXPECT_GE(pricing.us(Collective::all_reduce, {2, 1}, 1e9), 1e9 / 25e3);
}

TEST(Pricing, CrossingNodesCostsMore) {
  const Pricing pricing(dgx, {});
  EXPECT_GT(pricing.us(Collective::all_reduce, {8, 1}, 1e8), pricing.us(Collective::all_reduce, {8, 8}, 1e8));
}

TEST(Pricing, ScalesSpeedUpTheirOwnLinks) {
  const Pricing plain(dgx, {});
  MachineScales scales;
  scales.network = 2;
  const Pricing wider(dgx, scales);
  const RankGroup inside{8, 8};
  const RankGroup outside{16, 8};
  EXPECT_EQ(wider.us(Collective::all_reduce, inside, 1e8), plain.us(Collective::all_reduce, inside, 1e8));
  EXPECT_EQ(wider.us(Collective::all_reduce, outside, 2e8), plain.us(Collective::all_reduce, outside, 1e8));
  scales = {};
  scales.latency = 3;
  // Latency alone is three times as long.
  EXPECT_NEAR(Pricing(dgx, scales).us(Collective::all_reduce, inside, 8) /
                  plain.us(Collective::all_reduce, inside, 8),
              3, 0.05);
}

// Ultra-Scale Playbook, bus bandwidths of 256 MB on nodes of eight H100 joined by EFA.
TEST(Pricing, KeepsToMeasuredCollectivesAcrossEfa) {
  Machine machine = machine_with("h100-sxm", 8, 50);
  machine.network = static_cast<int>(NetworkKind::efa);
  const Pricing pricing(machine, {});
  struct {
    double nodes, all_reduce, all_gather;
  } const rows[] = {
      {2, 361.7, 184.6}, {4, 160.1, 119.0}, {8, 99.6, 69.0}, {16, 84.7, 55.0}, {32, 64.9, 28.0}};
  for (const auto& row : rows) {
    const double ranks = 8 * row.nodes;
    const double bytes = 256e6;
    const double share = (ranks - 1) / ranks;
    const double reduced = 2 * share * bytes / pricing.us(Collective::all_reduce, {ranks, 8}, bytes) * 1e-3;
    const double gathered = share * bytes / pricing.us(Collective::all_gather, {ranks, 8}, bytes) * 1e-3;
    EXPECT_NEAR(reduced / row.all_reduce, 1, 0.25) << row.nodes;
    EXPECT_NEAR(gathered / row.all_gather, 1, 0.25) << row.nodes;
  }
}

}  // namespace
}  // namespace commcost
