#include "core/hardware/systems.h"

#include <gtest/gtest.h>

#include <set>

#include "core/hardware/accelerators.h"

namespace commcost {
namespace {

TEST(Systems, AreNamedOnceAndHaveFiguresAndASource) {
  std::set<std::string_view> ids;
  for (const System& system : all_systems()) {
    EXPECT_TRUE(ids.insert(system.id).second) << system.id;
    EXPECT_EQ(find_system(system.id), &system);
    EXPECT_FALSE(system.name.empty()) << system.id;
    EXPECT_FALSE(system.source.empty()) << system.id;
    EXPECT_GE(system.gpus_per_node, 1) << system.id;
    EXPECT_GE(system.nic_gb_per_sec, 0) << system.id;
  }
  EXPECT_EQ(find_system("nonesuch"), nullptr);
}

TEST(Systems, AreMadeOfAcceleratorsOfTheTable) {
  for (const System& system : all_systems()) {
    EXPECT_NE(find_accelerator(system.accelerator), nullptr) << system.id << ": " << system.accelerator;
  }
}

// ExaComm'24 panel, M. Emani, Table 4.
TEST(Systems, HoldThePanelsTable) {
  struct Row {
    std::string_view id;
    int nodes, cpu_sockets, gpus_per_node, nvlinks_per_peer;
    double node_network, pinned, pageable, peer_to_peer;
  };
  for (const Row& row :
       {Row{"polaris-2023", 560, 1, 4, 4, 25, 24.6, 19.2, 80.5},
        Row{"tg40", 22, 2, 8, 0, 200, 26.1, 12.2, 277.6}, Row{"tg80", 2, 2, 8, 0, 200, 26.2, 12.4, 278.8}}) {
    const System& system = *find_system(row.id);
    EXPECT_EQ(system.nodes, row.nodes) << row.id;
    EXPECT_EQ(system.cpu_sockets, row.cpu_sockets) << row.id;
    EXPECT_EQ(system.gpus_per_node, row.gpus_per_node) << row.id;
    EXPECT_EQ(system.nvlinks_per_peer, row.nvlinks_per_peer) << row.id;
    EXPECT_EQ(system.nic_gb_per_sec * system.gpus_per_node, row.node_network) << row.id;
    EXPECT_EQ(system.pinned_copy_gb_per_sec, row.pinned) << row.id;
    EXPECT_EQ(system.pageable_copy_gb_per_sec, row.pageable) << row.id;
    EXPECT_EQ(system.peer_to_peer_gb_per_sec, row.peer_to_peer) << row.id;
  }
}

// No copy is faster than the link that carries it: of a mesh, the link divided over the peers.
TEST(Systems, CopyNoFasterThanTheirLinks) {
  for (const System& system : all_systems()) {
    const Accelerator& accelerator = *find_accelerator(system.accelerator);
    double peer = accelerator.fabric.link_gb_per_sec;
    if (system.nvlinks_per_peer > 0) peer /= system.gpus_per_node - 1;
    EXPECT_LE(system.peer_to_peer_gb_per_sec, peer) << system.id;
    EXPECT_LE(system.pinned_copy_gb_per_sec, accelerator.fabric.host_gb_per_sec) << system.id;
    EXPECT_LE(system.pageable_copy_gb_per_sec, system.pinned_copy_gb_per_sec) << system.id;
  }
}

TEST(Systems, SayTheirNetwork) {
  EXPECT_EQ(find_system("dgx-h100")->network, NetworkKind::infiniband);
  EXPECT_EQ(find_system("aws-p5")->network, NetworkKind::efa);
  EXPECT_EQ(find_system("jean-zay")->network, NetworkKind::omnipath);
  EXPECT_EQ(find_system("polaris")->network, NetworkKind::slingshot);
  EXPECT_EQ(find_system("mi300x-node")->network, std::nullopt);
}

TEST(Systems, FrontierIsEightDiesANode) {
  const System& frontier = *find_system("frontier");
  EXPECT_EQ(frontier.gpus_per_node, 8);
  EXPECT_EQ(find_accelerator(frontier.accelerator)->memory_gb, 64);
  EXPECT_EQ(frontier.nic_gb_per_sec * frontier.gpus_per_node, 100);
}

TEST(Systems, NodesHoldWholeHosts) {
  for (const System& system : all_systems()) {
    if (system.gpus_per_host > 0) {
      EXPECT_EQ(system.gpus_per_node % system.gpus_per_host, 0) << system.id;
    }
  }
}

}  // namespace
}  // namespace commcost
