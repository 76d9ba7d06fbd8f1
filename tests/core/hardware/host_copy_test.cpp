#include "core/hardware/host_copy.h"

#include <gtest/gtest.h>

namespace commcost {
namespace {

// The panel's table, and no more than its link elsewhere.
TEST(HostCopy, IsAsMeasuredWhereItWas) {
  const System& tg80 = *find_system("tg80");
  const Accelerator& a100 = *find_accelerator(tg80.accelerator);
  const HostCopyRate pinned = host_copy_rate(a100, &tg80, HostMemory::pinned);
  EXPECT_EQ(pinned.gb_per_sec, 26.2);
  EXPECT_TRUE(pinned.measured);
  EXPECT_EQ(host_copy_rate(a100, &tg80, HostMemory::pageable).gb_per_sec, 12.4);
  // 12 bytes of optimizer state for each of 1e9 parameters: 12 GB.
  EXPECT_NEAR(host_copy_us(12e9, pinned.gb_per_sec), 12e9 / 26.2e3, 1e-6);
  EXPECT_EQ(host_copy_us(0, 0), 0);
}

TEST(HostCopy, IsEstimatedByTheLinkElsewhere) {
  // Of PCIe 4's 31.5 GB/s, 24.6 (two rows), 26.1 and 26.2 are measured: in the middle 25.35.
  const HostCopyRate estimate =
      host_copy_rate(*find_accelerator("a100-sxm-80gb"), nullptr, HostMemory::pinned);
  EXPECT_NEAR(estimate.gb_per_sec, 25.35, 1e-9);
  EXPECT_FALSE(estimate.measured);
  EXPECT_NEAR(host_copy_rate(*find_accelerator("h100-sxm"), nullptr, HostMemory::pinned).gb_per_sec,
              2 * 25.35, 1e-9);
  // Of another accelerator, no system's figure holds.
  EXPECT_FALSE(
      host_copy_rate(*find_accelerator("h100-sxm"), find_system("tg80"), HostMemory::pinned).measured);
}

// Pageable memory is never quicker than pinned, nor either than the link, and a slower rate never takes less
// time.
TEST(HostCopy, SlowerCopiesAreNeverQuicker) {
  for (const System& system : all_systems()) {
    const Accelerator& accelerator = *find_accelerator(system.accelerator);
    for (const System* known : {&system, static_cast<const System*>(nullptr)}) {
      const double pinned = host_copy_rate(accelerator, known, HostMemory::pinned).gb_per_sec;
      const double pageable = host_copy_rate(accelerator, known, HostMemory::pageable).gb_per_sec;
      EXPECT_LE(pageable, pinned) << system.id;
      EXPECT_LE(pinned, accelerator.fabric.host_gb_per_sec) << system.id;
      if (pinned <= 0) continue;
      for (const double bytes : {1e3, 1e6, 1e9}) {
        EXPECT_GE(host_copy_us(bytes, pageable), host_copy_us(bytes, pinned)) << system.id;
        EXPECT_GT(host_copy_us(2 * bytes, pinned), host_copy_us(bytes, pinned)) << system.id;
      }
    }
  }
}

}  // namespace
}  // namespace commcost
