#include "core/network/textbook.h"

#include <gtest/gtest.h>

#include "core/hardware/links.h"

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

}  // namespace
}  // namespace commcost
