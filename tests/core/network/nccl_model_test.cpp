#include "core/network/nccl_model.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace commcost {
namespace {

using enum NcclAlgorithm;
using enum NcclProtocol;

/// Latency and algorithm bandwidth of a combination, for eight GPUs of a box: NCCL 2.30.7's own model.
struct Stated {
  const char* name;
  const char* accelerator;
  NcclAlgorithm algorithm;
  NcclProtocol protocol;
  double latency_us;
  double bandwidth_gb_per_sec;
};

void PrintTo(const Stated& stated, std::ostream* out) {
  *out << stated.name;
}

constexpr Stated stated[] = {
    {"V100 ring LL", "v100-sxm", ring, ll, 15.0, 22.3},
    {"V100 ring LL128", "v100-sxm", ring, ll128, 40.6, 63.1},
    {"V100 ring Simple", "v100-sxm", ring, simple, 56.0, 68.6},
    {"V100 tree LL", "v100-sxm", tree, ll, 15.2, 14.5},
    {"V100 tree LL128", "v100-sxm", tree, ll128, 31.5, 42.9},
    {"V100 tree Simple", "v100-sxm", tree, simple, 64.4, 55.2},
    {"A100 ring LL", "a100-sxm-80gb", ring, ll, 15.0, 50.1},
    {"A100 ring LL128", "a100-sxm-80gb", ring, ll128, 40.6, 126.2},
    {"A100 ring Simple", "a100-sxm-80gb", ring, simple, 56.0, 137.1},
    {"A100 tree LL", "a100-sxm-80gb", tree, ll, 15.2, 29.1},
    {"A100 tree LL128", "a100-sxm-80gb", tree, ll128, 31.5, 85.9},
    {"A100 tree Simple", "a100-sxm-80gb", tree, simple, 64.4, 110.4},
    {"H100 ring LL", "h100-sxm", ring, ll, 15.0, 80.6},
    {"H100 ring LL128", "h100-sxm", ring, ll128, 40.6, 189.3},
    {"H100 ring Simple", "h100-sxm", ring, simple, 56.0, 205.7},
    {"H100 tree LL", "h100-sxm", tree, ll, 15.2, 43.6},
    {"H100 tree LL128", "h100-sxm", tree, ll128, 31.5, 128.8},
    {"H100 tree Simple", "h100-sxm", tree, simple, 64.4, 165.6},
    {"H100 NVLS", "h100-sxm", nvls, simple, 25.0, 272.0},
    {"B200 ring LL", "b200", ring, ll, 15.0, 161.1},
    {"B200 ring LL128", "b200", ring, ll128, 40.6, 365.7},
    {"B200 ring Simple", "b200", ring, simple, 56.0, 411.4},
    {"B200 tree LL", "b200", tree, ll, 15.2, 87.2},
    {"B200 tree LL128", "b200", tree, ll128, 31.5, 257.6},
    {"B200 tree Simple", "b200", tree, simple, 64.4, 331.2},
    {"B200 NVLS", "b200", nvls, simple, 25.0, 411.4},
};

class NcclTable : public testing::TestWithParam<Stated> {};

TEST_P(NcclTable, HoldsTheStatedLatencyAndBandwidth) {
  const Stated& row = GetParam();
  const NcclModel model =
      nccl_model(group_of(*find_fabric(row.accelerator), 8, 8, 0), Collective::all_reduce);
  ASSERT_TRUE(model.known);
  const auto a = static_cast<std::size_t>(row.algorithm);
  const auto p = static_cast<std::size_t>(row.protocol);
  EXPECT_NEAR(model.latency_us[a][p], row.latency_us, 0.051);
  EXPECT_NEAR(model.bandwidth_gb_per_sec[a][p], row.bandwidth_gb_per_sec, 0.06);
}

INSTANTIATE_TEST_SUITE_P(EightGpus, NcclTable, testing::ValuesIn(stated));

struct Switching {
  const char* name;
  const char* accelerator;
  bool in_network;
  std::vector<NcclSwitch> rows;
};

void PrintTo(const Switching& switching, std::ostream* out) {
  *out << switching.name;
}

constexpr double one_mib = 1 << 20;

const Switching switchings[] = {
    {"V100", "v100-sxm", false, {{1, ring, ll}, {one_mib, ring, ll128}, {16 * one_mib, ring, simple}}},
    {"A100",
     "a100-sxm-80gb",
     false,
     {{1, ring, ll}, {4 * one_mib, ring, ll128}, {32 * one_mib, ring, simple}}},
    {"H100", "h100-sxm", true, {{1, ring, ll}, {2 * one_mib, nvls, simple}}},
    {"H200, as a run was seen to switch", "h200-sxm", true, {{1, ring, ll}, {2 * one_mib, nvls, simple}}},
    {"H100 without NVLS",
     "h100-sxm",
     false,
     {{1, ring, ll}, {4 * one_mib, ring, ll128}, {64 * one_mib, ring, simple}}},
    {"B200", "b200", true, {{1, ring, ll}, {4 * one_mib, nvls, simple}}},
};

class NcclSwitching : public testing::TestWithParam<Switching> {};

TEST_P(NcclSwitching, PicksAsNcclDoes) {
  const Switching& expected = GetParam();
  GpuGroup group = group_of(*find_fabric(expected.accelerator), 8, 8, 0);
  group.in_network = expected.in_network;
  const std::vector<NcclSwitch> rows = nccl_model(group, Collective::all_reduce).switches();
  ASSERT_EQ(rows.size(), expected.rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].message_size_bytes, expected.rows[i].message_size_bytes) << i;
    EXPECT_EQ(rows[i].algorithm, expected.rows[i].algorithm) << i;
    EXPECT_EQ(rows[i].protocol, expected.rows[i].protocol) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(EightGpus, NcclSwitching, testing::ValuesIn(switchings));

TEST(NcclModel, OffersTreesAndCollNetAcrossNodesWhereTheyExist) {
  const GpuGroup group = group_of(*find_fabric("h100-sxm"), 64, 8, 50);
  const NcclModel plain = nccl_model(group, Collective::all_reduce);
  const NcclModel sharp = nccl_model(group, Collective::all_reduce, true);
  EXPECT_GT(plain.bandwidth_gb_per_sec[static_cast<std::size_t>(nvls_tree)][2], 0);
  EXPECT_EQ(plain.bandwidth_gb_per_sec[static_cast<std::size_t>(nvls)][2], 0);
  EXPECT_EQ(plain.bandwidth_gb_per_sec[static_cast<std::size_t>(collnet_chain)][2], 0);
  EXPECT_GT(sharp.bandwidth_gb_per_sec[static_cast<std::size_t>(collnet_chain)][2], 0);
  // Small messages climb a tree; a ring would pay for each of its 126 steps.
  EXPECT_EQ(plain.choice(1024).algorithm, tree);
}

double offered(const NcclModel& model, NcclAlgorithm algorithm, NcclProtocol protocol) {
  return model.bandwidth_gb_per_sec[static_cast<std::size_t>(algorithm)][static_cast<std::size_t>(protocol)];
}

// search.cc: a head's channel is tried at 40 GB/s, and at 80 where h + 1 shares of it fit a link of 370.8:
// not with four heads, which are half of eight.
TEST(NcclModel, SharesALinkAmongNvlsHeads) {
  const auto bandwidth = [](double heads) {
    GpuGroup group = group_of(*find_fabric("h100-sxm"), heads, 8, 50);
    return offered(nccl_model(group, Collective::all_reduce), nvls, simple);
  };
  EXPECT_NEAR(bandwidth(8), 272, 0.06);
  EXPECT_NEAR(bandwidth(4), bandwidth(8) / 2, 1e-9);
}

// Two GPUs of a box have a switch to add up in; one has no other to add to.
TEST(NcclModel, AddsUpInSwitchesFromTwoGpusOfANodeOn) {
  const auto offers = [](double gpus, double in_node) {
    GpuGroup group = group_of(*find_fabric("h100-sxm"), gpus, in_node, 50);
    group.in_network = true;
    const NcclModel model = nccl_model(group, Collective::all_reduce);
    return std::pair(offered(model, nvls, simple) > 0, offered(model, nvls_tree, simple) > 0);
  };
  EXPECT_EQ(offers(2, 2), std::pair(true, false));
  EXPECT_EQ(offers(4, 2), std::pair(false, true));
  EXPECT_EQ(offers(4, 1), std::pair(false, false));
}

// Links and NICs so fast that only tuning.cc's limit a channel binds; of a tree half of it is an algorithm's
// bandwidth.
TEST(NcclModel, LimitsAChannelByHowManyNodesThereAre) {
  const auto tree_channel = [](double nodes) {
    const GpuGroup group = group_of(*find_fabric("b200"), 8 * nodes, 8, 4000);
    const NcclModel model = nccl_model(group, Collective::all_reduce);
    return 2 * offered(model, tree, ll128) / model.channels;
  };
  EXPECT_NEAR(tree_channel(2), 31.67, 1e-9);
  EXPECT_NEAR(tree_channel(3), 20, 1e-9);
  EXPECT_NEAR(tree_channel(64), 20, 1e-9);
}

// tuning.cc of NCCL 2.30: eight heads at the speed between nodes that search.cc finds (24 of a NIC's 25 GB/s,
// 48 of 50), twice that for two nodes, at most 57.7 a channel for two nodes and 45.5 for more on Hopper;
// times n / (2 (n - 1)) an algorithm's bandwidth.
TEST(NcclModel, SumsUpNvlsTreesHeads) {
  const auto tree = [](double nodes, double nic) {
    const GpuGroup group = group_of(*find_fabric("h100-sxm"), 8 * nodes, 8, nic);
    return offered(nccl_model(group, Collective::all_reduce), nvls_tree, simple);
  };
  EXPECT_NEAR(tree(8, 25), 8 * 24 * 64 / 126.0, 1e-9);
  EXPECT_NEAR(tree(2, 25), 8 * 48 * 16 / 30.0, 1e-9);
  EXPECT_NEAR(tree(8, 50), 8 * 45.5 * 64 / 126, 1e-9);
  EXPECT_NEAR(tree(2, 50), 8 * 57.7 * 16 / 30, 1e-9);
}

// CollNetDirect, NCCL's tuning.cc: the channels' bandwidth over f - (f - 1) / 2 where f GPUs of a node share
// a channel, 0.85 of it from Hopper on; the chain has all of it. NICs that no link waits for.
TEST(NcclModel, SharesCollNetAmongTheGpusOfANode) {
  for (const char* id : {"a100-sxm-80gb", "h100-sxm"}) {
    const NcclModel model =
        nccl_model(group_of(*find_fabric(id), 128, 8, 4000), Collective::all_reduce, true);
    const double fan = 8 / model.channels;
    const double share = std::string(id) == "h100-sxm" ? 0.85 : 1;
    EXPECT_NEAR(offered(model, collnet_direct, simple),
                share * offered(model, collnet_chain, simple) / ((fan + 1) / 2), 1e-9)
        << id;
  }
}

// tuning.cc: 3.7 us of a direct exchange and 0.4 us a peer, there and back, 31 us of the network; 2.8 us a
// step of the chain, 30 us of the network.
TEST(NcclModel, PaysCollNetForEachPeer) {
  const NcclModel model =
      nccl_model(group_of(*find_fabric("h100-sxm"), 64, 8, 50), Collective::all_reduce, true);
  const auto latency = [&](NcclAlgorithm algorithm) {
    return model.latency_us[static_cast<std::size_t>(algorithm)][static_cast<std::size_t>(simple)];
  };
  EXPECT_NEAR(latency(collnet_direct), 2 * (3.7 + 0.4 * 7) + 31, 1e-9);
  EXPECT_NEAR(latency(collnet_chain), 2 * 7 * 2.8 + 30, 1e-9);
}

// PCIe 3 carries 12 GB/s a channel, whatever the link is said to carry; an NVLink box typed slower does not.
TEST(NcclModel, TakesPcieThreeForWhatItCarries) {
  const auto ring_bus = [](const char* id, double link_gb_per_sec) {
    Fabric fabric = *find_fabric(id);
    fabric.link_gb_per_sec = link_gb_per_sec;
    const NcclModel model = nccl_model(group_of(fabric, 4, 4, 0), Collective::all_reduce);
    return offered(model, ring, simple) * 2 * 3 / 4 / model.channels;
  };
  EXPECT_NEAR(ring_bus("l40s", 15), 12, 1e-9);
  EXPECT_EQ(ring_bus("a100-sxm-80gb", 15), ring_bus("a100-sxm-80gb", 300));
}

// Each GPU of a mesh of four, as a board of four H100 is too, has a third of its links to each other one; of
// NCCL's 12 channels two GPUs have four.
TEST(NcclModel, HasAThirdOfAMeshForTwoGpus) {
  for (const char* id : {"h100-sxm", "gh200"}) {
    const auto channels = [id](double gpus) {
      return nccl_model(group_of(*find_fabric(id), gpus, 4, 0), Collective::all_reduce).channels;
    };
    EXPECT_EQ(channels(4), 12) << id;
    EXPECT_EQ(channels(2), 4) << id;
  }
}

TEST(NcclModel, OffersPatWhereEachNodeHoldsOneGpu) {
  const NcclModel one = nccl_model(group_of(*find_fabric("h100-sxm"), 16, 1, 50), Collective::all_gather);
  const NcclModel eight = nccl_model(group_of(*find_fabric("h100-sxm"), 16, 8, 50), Collective::all_gather);
  EXPECT_GT(one.bandwidth_gb_per_sec[static_cast<std::size_t>(pat)][2], 0);
  EXPECT_EQ(eight.bandwidth_gb_per_sec[static_cast<std::size_t>(pat)][2], 0);
}

TEST(NcclModel, HasNoModelOfOtherVendorsOrOfPairwiseCollectives) {
  EXPECT_FALSE(nccl_model(group_of(*find_fabric("mi300x"), 8, 8, 0), Collective::all_reduce).known);
  EXPECT_FALSE(nccl_model(group_of(*find_fabric("h100-sxm"), 8, 8, 0), Collective::all_to_all).known);
  EXPECT_TRUE(
      nccl_model(group_of(*find_fabric("h100-sxm"), 1, 8, 0), Collective::all_reduce).switches().empty());
}

}  // namespace
}  // namespace commcost
