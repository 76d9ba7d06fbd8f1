#include "core/compute/memory_levels.h"

#include <gtest/gtest.h>

#include "core/hardware/host_copy.h"

namespace commcost {
namespace {

ProductTraffic traffic(std::string_view id, double m, double n, double k, double file = 1) {
  const Accelerator& accelerator = *find_accelerator(id);
  return product_traffic(
      {.m = m, .n = n, .k = k}, 1, KernelFormat::bf16, KernelLibrary::any, accelerator,
      {.tflops = accelerator.peak_16_bits_tflops(),
       .hbm_gb_per_sec = accelerator.hbm_gb_per_sec,
       .host_gb_per_sec = host_copy_rate(accelerator, nullptr, HostMemory::pinned).gb_per_sec,
       .file_gb_per_sec = file});
}

const LevelTraffic& of(const ProductTraffic& traffic, MemoryLevel level) {
  return traffic.levels[static_cast<std::size_t>(level)];
}

// By hand, 6144 in all dimensions in 16 bits, which every tile divides: one of r x c loads r + c elements for
// each of 6144.
TEST(MemoryLevels, ATileDecidesTheIntensityFromL2) {
  const ProductTraffic a100 = traffic("a100-sxm-80gb", 6144, 6144, 6144);
  const double r = a100.tile_rows;
  const double c = a100.tile_columns;
  EXPECT_EQ(a100.tile_register_bytes, 4 * r * c);
  const double tiles = 6144 / r * (6144 / c);
  EXPECT_DOUBLE_EQ(of(a100, MemoryLevel::l2).bytes, tiles * 6144 * (r + c) * 2 + 6144.0 * 6144 * 2);
  EXPECT_DOUBLE_EQ(of(a100, MemoryLevel::hbm).bytes, 3 * 6144.0 * 6144 * 2);
  EXPECT_DOUBLE_EQ(of(a100, MemoryLevel::hbm).flops_per_byte, 6144 / 3.0);
  // 64 x 64 of a warp: 64 * 64 * 2 FLOPs for 128 elements of 2 bytes.
  EXPECT_DOUBLE_EQ(of(a100, MemoryLevel::shared_memory).flops_per_byte, 32);
}

// NVIDIA A100 white paper: L2 reads 5120 bytes a clock, 2.3 times a V100's; and both chips' shared memory,
// 108 and 80 times 128 bytes a clock.
TEST(MemoryLevels, HaveTheRatesOfTheWhitePaper) {
  const ProductTraffic a100 = traffic("a100-sxm-80gb", 8192, 8192, 8192);
  const ProductTraffic v100 = traffic("v100-sxm", 8192, 8192, 8192);
  EXPECT_NEAR(of(a100, MemoryLevel::l2).gb_per_sec / of(v100, MemoryLevel::l2).gb_per_sec, 2.3, 0.01);
  EXPECT_NEAR(of(a100, MemoryLevel::shared_memory).gb_per_sec, 108 * 128 * 1.41, 1e-9);
  // 1024 FLOPs a clock and multiprocessor on a V100, 2048 on an A100, over 128 bytes a clock.
  EXPECT_NEAR(of(v100, MemoryLevel::shared_memory).ridge_flops_per_byte, 8, 0.05);
  EXPECT_NEAR(of(a100, MemoryLevel::shared_memory).ridge_flops_per_byte, 16, 0.05);
  EXPECT_NEAR(of(traffic("h100-sxm", 8192, 8192, 8192), MemoryLevel::shared_memory).ridge_flops_per_byte, 32,
              0.1);
}

// Nearer to the matrix units more is moved, and faster; what is not known has no time.
TEST(MemoryLevels, MoveMoreTheNearerTheyAre) {
  for (const Accelerator& accelerator : all_accelerators()) {
    for (const double size : {256.0, 1000.0, 8192.0}) {
      const ProductTraffic all = traffic(accelerator.id, size, 2 * size, size / 2);
      EXPECT_GE(of(all, MemoryLevel::l2).bytes, of(all, MemoryLevel::hbm).bytes) << accelerator.id;
      EXPECT_GE(of(all, MemoryLevel::host_pageable).time_us, of(all, MemoryLevel::host_pinned).time_us)
          << accelerator.id;
      double outer = 0;
      for (std::size_t at = all.levels.size(); at-- > 0;) {
        const LevelTraffic& level = all.levels[at];
        EXPECT_EQ(level.time_us > 0, level.gb_per_sec > 0) << accelerator.id;
        EXPECT_EQ(level.feeds_tflops > 0, level.gb_per_sec > 0) << accelerator.id;
        if (level.gb_per_sec <= 0) continue;
        // It takes as long as its bytes or its multiplying, whichever is longer.
        const double flops = level.bytes * level.flops_per_byte;
        const double multiplied_us = flops / (accelerator.peak_16_bits_tflops() * 1e6);
        EXPECT_NEAR(level.feeds_tflops * std::max(level.time_us, multiplied_us) * 1e6 / flops, 1, 1e-12);
        EXPECT_GE(level.gb_per_sec, outer) << accelerator.id << ' ' << memory_level_names[at];
        outer = level.gb_per_sec;
      }
    }
  }
}

}  // namespace
}  // namespace commcost
