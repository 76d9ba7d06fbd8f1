#include "core/collective/bus_bandwidth.h"

#include <gtest/gtest.h>

namespace commcost {
namespace {

TEST(BusBandwidth, HasTheFactorsOfNcclTests) {
  EXPECT_DOUBLE_EQ(bus_bandwidth_factor(Collective::all_reduce, 8), 1.75);
  for (const Collective collective : {Collective::all_gather, Collective::reduce_scatter,
                                      Collective::all_to_all, Collective::gather, Collective::scatter}) {
    EXPECT_DOUBLE_EQ(bus_bandwidth_factor(collective, 8), 0.875) << name_of(collective);
  }
  for (const Collective collective : {Collective::broadcast, Collective::reduce, Collective::send_receive}) {
    EXPECT_DOUBLE_EQ(bus_bandwidth_factor(collective, 8), 1) << name_of(collective);
  }
  for (int index = 0; index < 10; ++index) {
    EXPECT_EQ(bus_bandwidth_factor(static_cast<Collective>(index), 1), 0);
  }
}

TEST(RingSentBytes, IsRoundedOnce) {
  EXPECT_EQ(ring_sent_bytes(Collective::all_reduce, 8, 134217728), 234881024);
  EXPECT_EQ(ring_sent_bytes(Collective::all_reduce, 3, 1), 4.0 / 3.0);
  EXPECT_EQ(ring_sent_bytes(Collective::all_gather, 10, 1e15), 9e14);
  EXPECT_EQ(ring_sent_bytes(Collective::barrier, 10, 1e15), 0);
}

TEST(RingSentBytes, OfAnAllReduceIsReduceScatterAndAllGather) {
  for (double ranks = 1; ranks <= 1048576; ranks *= 4) {
    EXPECT_EQ(ring_sent_bytes(Collective::all_reduce, ranks, 1e6),
              ring_sent_bytes(Collective::reduce_scatter, ranks, 1e6) +
                  ring_sent_bytes(Collective::all_gather, ranks, 1e6));
  }
}

}  // namespace
}  // namespace commcost
