#include "core/compute/memory_levels.h"

#include <algorithm>
#include <cmath>

#include "core/compute/gemm_time.h"
#include "core/hardware/host_copy.h"

namespace commcost {
namespace {

constexpr double bytes_of_sum = 4;
constexpr double fragment_rows = 64;
constexpr double fragment_columns = 64;
constexpr double shared_bytes_per_clock = 128;

bool reads_whole_columns(Generation generation) {
  return generation == Generation::hopper || generation == Generation::blackwell;
}

// Of one tile, elements of the inner dimension apart.
double fragment_bytes(const Tile& tile, const GemmCall& call, Generation generation) {
  const double rows = std::min(fragment_rows, tile.rows);
  const double columns =
      reads_whole_columns(generation) ? tile.columns : std::min(fragment_columns, tile.columns);
  const double fragments = tile.rows / rows * (tile.columns / columns);
  return fragments * (rows * call.input_bytes + columns * call.weight_bytes);
}

}  // namespace

ProductTraffic product_traffic(const GemmCall& call, double batch, KernelFormat format, KernelLibrary library,
                               const Accelerator& accelerator, const PeakRates& rates) {
  using namespace gemm_constant;
  const auto& [m, n, k, input_bytes, weight_bytes, output_bytes, quantizes] = call;
  const Chip chip = chip_of(accelerator, format);
  const KernelConstants constants =
      constants_for(KernelFamily::gemm, format, library, accelerator, kernel_table());
  const double rate = chip.flops_per_us / chip.multiprocessors * constants[matrix_share];
  const Tile tile = tiled_product(batch, m, n, k, chip, rate, constants[tile_start]).tile;

  ProductTraffic traffic;
  traffic.tile_rows = tile.rows;
  traffic.tile_columns = tile.columns;
  traffic.tile_register_bytes = tile.rows * tile.columns * bytes_of_sum;
  const double tiles = batch * std::ceil(m / tile.rows) * std::ceil(n / tile.columns);
  const double result = batch * m * n * output_bytes;
  const double once = batch * k * (m * input_bytes + n * weight_bytes) + result;
  // A tile at the border is loaded only as far as the matrix reaches.
  const double loaded =
      batch * k *
      (m * input_bytes * std::ceil(n / tile.columns) + n * weight_bytes * std::ceil(m / tile.rows));
  const double clocked = accelerator.clock_ghz;
  const double pinned = rates.host_gb_per_sec;
  const double pageable = host_copy_rate(accelerator, nullptr, HostMemory::pageable).gb_per_sec;
  traffic.levels = {{
      {.level = MemoryLevel::shared_memory,
       .bytes = tiles * k * fragment_bytes(tile, call, accelerator.generation),
       .gb_per_sec = clocked * shared_bytes_per_clock * accelerator.multiprocessors},
      {.level = MemoryLevel::l2,
       .bytes = loaded + result,
       .gb_per_sec = clocked * accelerator.l2_bytes_per_clock},
      {.level = MemoryLevel::hbm, .bytes = once, .gb_per_sec = rates.hbm_gb_per_sec},
      {.level = MemoryLevel::host_pinned, .bytes = once, .gb_per_sec = pinned},
      {.level = MemoryLevel::host_pageable, .bytes = once, .gb_per_sec = std::min(pinned, pageable)},
      {.level = MemoryLevel::file, .bytes = once, .gb_per_sec = std::min(pinned, rates.file_gb_per_sec)},
  }};
  constexpr double bytes_per_us = 1e3;
  constexpr double flops_per_us = 1e6;
  const double flops = 2 * batch * m * n * k;
  for (LevelTraffic& level : traffic.levels) {
    level.flops_per_byte = flops / level.bytes;
    if (level.gb_per_sec <= 0) continue;
    level.time_us = level.bytes / (level.gb_per_sec * bytes_per_us);
    level.ridge_flops_per_byte = rates.tflops * flops_per_us / (level.gb_per_sec * bytes_per_us);
    level.feeds_tflops = rates.tflops * std::min(1.0, level.flops_per_byte / level.ridge_flops_per_byte);
  }
  return traffic;
}

}  // namespace commcost
