#include "core/network/textbook.h"

#include <gtest/gtest.h>

#include "core/hardware/links.h"
#include "core/network/curve_constants.h"
#include "core/network/plateau.h"

namespace commcost {
namespace {

TEST(Textbook, OneGpuSendsNothing) {
  const GpuGroup alone = group_of(*find_fabric("h100-sxm"), 1, 8, 50);
  for (const Collective collective : {Collective::all_reduce, Collective::send_receive}) {
    EXPECT_EQ(textbook_us(alone, collective, 1e9), 0);
    EXPECT_EQ(hockney_us(alone, collective, 1e9), 0);
  }
}

// 2 * 7/8 of a gigabyte at 450 GB/s; over two nodes at eight NICs' 50 GB/s.
TEST(Textbook, SendsAtLineRate) {
  const Fabric& fabric = *find_fabric("h100-sxm");
  EXPECT_NEAR(textbook_us(group_of(fabric, 8, 8, 50), Collective::all_reduce, 1e9), 1.75e9 / 450e3, 1e-6);
  EXPECT_NEAR(textbook_us(group_of(fabric, 16, 8, 50), Collective::all_reduce, 1e9), 1.875e9 / 400e3, 1e-6);
  EXPECT_NEAR(textbook_us(group_of(fabric, 2, 1, 50), Collective::all_reduce, 1e9), 1e9 / 50e3, 1e-6);
}

// Of sixteen blocks eight leave the node, each over its sender's NIC; a send has no other's NIC either.
TEST(Textbook, SendsOverOneNicWhatItsRankAloneSends) {
  const GpuGroup two = group_of(*find_fabric("h100-sxm"), 16, 8, 50);
  EXPECT_NEAR(textbook_us(two, Collective::all_to_all, 1e9), 0.5e9 / 50e3, 1e-6);
  EXPECT_NEAR(textbook_us(two, Collective::send_receive, 1e9), 1e9 / 50e3, 1e-6);
  // A network faster than the links: the seven blocks of the own node take longest.
  const GpuGroup quick = group_of(*find_fabric("h100-sxm"), 16, 8, 1000);
  EXPECT_NEAR(textbook_us(quick, Collective::all_to_all, 1e9), 7e9 / 16 / 450e3, 1e-6);
}

// Two GPUs of a mesh of eight share one of seven links, and four three.
TEST(Textbook, SendsOverTheLinksThatAMeshHasBetweenTheGroup) {
  const Fabric& fabric = *find_fabric("mi300x");
  const double all = textbook_us(group_of(fabric, 8, 8, 50), Collective::all_gather, 8e9) / (7.0 / 8);
  EXPECT_NEAR(textbook_us(group_of(fabric, 2, 8, 50), Collective::all_gather, 8e9), all * 7 / 2, 1e-6);
  EXPECT_NEAR(textbook_us(group_of(fabric, 4, 8, 50), Collective::all_gather, 8e9), all * 7 / 3 * 3 / 4,
              1e-6);
}

// Every block for another node passes a NIC, 8 of 15 of a GPU's: the NIC is not the limit of the rest.
TEST(Plateau, OfAllToAllPassesNicsOnlyBetweenNodes) {
  const Fabric& fabric = *find_fabric("h100-sxm");
  const double two =
      plateau_of(group_of(fabric, 16, 8, 50), Collective::all_to_all, fitted_constants()).bus_gb_per_sec;
  const double apart =
      plateau_of(group_of(fabric, 16, 1, 50), Collective::all_to_all, fitted_constants()).bus_gb_per_sec;
  EXPECT_GT(two, 1.3 * apart);
  EXPECT_LT(two, 15.0 / 8 * apart);
}

// A bridge joins two GPUs; more go through the host, as all do that no bridge joins.
TEST(Plateau, OfABridgeIsThatOfTwoGpusAlone) {
  const auto rate = [](Topology topology, double gpus) {
    Fabric fabric = *find_fabric("h100-nvl");
    fabric.topology = topology;
    return plateau_of(group_of(fabric, gpus, 8, 50), Collective::all_gather, fitted_constants())
        .bus_gb_per_sec;
  };
  EXPECT_EQ(rate(Topology::bridge_pair, 2), rate(Topology::mesh, 2));
  EXPECT_LT(rate(Topology::bridge_pair, 4), rate(Topology::bridge_pair, 2));
}

}  // namespace
}  // namespace commcost
