#include "core/network/bound.h"

#include <gtest/gtest.h>

#include "core/hardware/accelerators.h"

namespace commcost {
namespace {

// Two DGX H100: 900 GB/s of links are no bound next to one GB/s a NIC, of which a node has eight.
double us_of(Collective collective, double message_size_bytes) {
  const GpuGroup group = group_of(*find_fabric("h100-sxm"), 16, 8, 1);
  return message_size_bytes / bound_bytes_per_us(group, collective);
}

TEST(Bound, SendsOverTheNicsWhatTheOtherNodeHolds) {
  constexpr double gib = 1024.0 * 1024 * 1024;
  const double through_a_nodes_nics = gib / 8e3;
  EXPECT_NEAR(us_of(Collective::all_reduce, gib), through_a_nodes_nics, 1e-6);
  EXPECT_NEAR(us_of(Collective::all_gather, gib), through_a_nodes_nics / 2, 1e-6);
  EXPECT_NEAR(us_of(Collective::reduce_scatter, gib), through_a_nodes_nics / 2, 1e-6);
  EXPECT_NEAR(us_of(Collective::gather, gib), through_a_nodes_nics / 2, 1e-6);
  EXPECT_NEAR(us_of(Collective::scatter, gib), through_a_nodes_nics / 2, 1e-6);
  EXPECT_NEAR(us_of(Collective::broadcast, gib), through_a_nodes_nics, 1e-6);
  // Each rank sends its own half through its own NIC.
  EXPECT_NEAR(us_of(Collective::all_to_all, gib), gib / 1e3 / 2, 1e-6);
  EXPECT_NEAR(us_of(Collective::send_receive, gib), gib / 1e3, 1e-6);
}

}  // namespace
}  // namespace commcost
