#pragma once

#include <array>
#include <iterator>
#include <string_view>

#include "core/compute/kernel_price.h"

namespace commcost {

/// Where a product's operands come from, from the matrix units outwards.
enum class MemoryLevel {
  shared_memory,  ///< of a multiprocessor, into its matrix units and registers
  l2,             ///< into shared memory
  hbm,            ///< into L2
  host_pinned,    ///< over the link to the host, were operands and result kept in its pinned memory
  host_pageable,  ///< the same of pageable memory
  file,           ///< from the node's drives, were they kept in a file
};
inline constexpr std::string_view memory_level_names[] = {"shared_memory", "l2",  "hbm", "host_pinned",
                                                          "host_pageable", "file"};

/// What a product moves out of one level.
struct LevelTraffic {
  MemoryLevel level = MemoryLevel::shared_memory;
  double bytes = 0;
  double gb_per_sec = 0;      ///< of the level, all multiprocessors together; 0: not known
  double time_us = 0;         ///< of these bytes at that rate; 0: not known
  double flops_per_byte = 0;  ///< that it computes with each byte
  double ridge_flops_per_byte =
      0;                    ///< with which moving takes as long as multiplying at the peak; 0: not known
  double feeds_tflops = 0;  ///< rate of the product if this level were its only limit; 0: not known
};

/// A product's traffic on every level, by the tile of its output that the pricer takes for it.
struct ProductTraffic {
  double tile_rows = 0;
  double tile_columns = 0;
  double tile_register_bytes = 0;  ///< of a tile's sums, in 32 bits
  std::array<LevelTraffic, std::size(memory_level_names)> levels{};
};

/// The data-sheet rates that a product meets, any of which a job may state for itself.
struct PeakRates {
  double tflops = 0;           ///< of the matrix units at its precision
  double hbm_gb_per_sec = 0;   ///< of the memory
  double host_gb_per_sec = 0;  ///< of copies from pinned host memory
  double file_gb_per_sec = 0;  ///< of reads of the node's drives; 0: not known
};

/// Of `batch` products of one shape. A tile loads its rows and columns of both operands from L2 into shared
/// memory once, and writes its part of the result; from there matrix units read fragments of 64 rows and as
/// many columns, of all of a tile's since Hopper (CUTLASS's usual warp tiles; PTX ISA, wgmma m64nNk16).
/// Through HBM goes every operand and the result once. A multiprocessor's shared memory gives 128 bytes a
/// clock (CUDA programming guide).
ProductTraffic product_traffic(const GemmCall& call, double batch, KernelFormat format, KernelLibrary library,
                               const Accelerator& accelerator, const PeakRates& rates);

}  // namespace commcost
