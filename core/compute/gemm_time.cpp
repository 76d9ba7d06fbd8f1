#include "core/compute/gemm_time.h"

#include "core/compute/power.h"
#include "core/compute/tiles.h"

namespace commcost {

// Source of every prior: the mechanisms' usual size on the tables of tests/data/kernels.md, all GPUs
// together.
const std::array<KernelConstantRow, num_kernel_constants> gemm_constants = {{
    {"start_us", 3, 0.5, "Time of an empty product in a graph"},
    {"matrix_share", 0.85, 0.15, "Share of the matrix peak that full tiles reach"},
    {"memory_share", 0.8, 0.2, "Share of the memory bandwidth that operands are read at"},
    {"tile_start", 200, 0.7, "What a tile takes besides its inner dimension, in elements of it"},
    {"quantize_us", 6, 0.7, "Time to quantize an empty input"},
    {"watts_per_tflops", 0.8, 0.4, "Power of the matrix units at two bytes an operand, W for each TFLOP/s"},
}};

namespace {

// Rows and columns of tiles, and which go together.
constexpr double tile_rows[] = {256, 128, 64};
constexpr double tile_columns[] = {256, 192, 128, 64, 32, 16};
struct TileSides {
  std::size_t rows;
  std::size_t columns;
};
constexpr TileSides product_tiles[] = {{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2},
                                       {1, 3}, {2, 2}, {2, 3}, {1, 4}, {2, 4}, {2, 5}};
constexpr double splits[] = {1, 2, 4, 8, 16, 32};
// A split leaves at least this many elements of the inner dimension; adding up its parts takes this long.
constexpr double least_inner = 256;
constexpr double add_up_us = 1;
// A product is split only up to this many waves.
constexpr double most_waves_split = 4;

}  // namespace

TiledProduct tiled_product(double batch, double m, double n, double k, const Chip& chip, double rate,
                           double tile_start) {
  // Counted once for the tiles that share a side: a search prices millions of products.
  double rows[std::size(tile_rows)];
  double columns[std::size(tile_columns)];
  for (std::size_t at = 0; at < std::size(rows); ++at) rows[at] = std::ceil(m / tile_rows[at]);
  for (std::size_t at = 0; at < std::size(columns); ++at) columns[at] = std::ceil(n / tile_columns[at]);
  TiledProduct best;
  for (const TileSides& sides : product_tiles) {
    const Tile tile{tile_rows[sides.rows], tile_columns[sides.columns]};
    const double count = batch * rows[sides.rows] * columns[sides.columns];
    const double a_step = 2 * tile.rows * tile.columns * loading(tile, m) / rate;
    for (const double parts : splits) {
      if (parts > 1 && count * parts > most_waves_split * chip.multiprocessors) break;
      const double inner = parts > 1 ? std::max(k / parts, least_inner) : k;
      const double us = waves(count * parts, chip.multiprocessors) * a_step * (inner + tile_start) +
                        (parts > 1 ? add_up_us : 0);
      if (best.us == 0 || us < best.us) best = {us, tile};
    }
  }
  return best;
}

KernelParts product_parts(const Gemm& shape, double streamed_bytes, const Chip& chip,
                          const KernelConstants& constants, const KernelRun& run) {
  using namespace gemm_constant;
  const auto& [m, n, k, batch] = shape;
  const double rate = chip.flops_per_us / chip.multiprocessors * constants[matrix_share];
  KernelParts parts;
  parts.flops = shape.flops();
  parts.start_us = constants[start_us];
  parts.compute_us = tiled_product(batch, m, n, k, chip, rate, constants[tile_start]).us;
  parts.memory_us = streamed_bytes / streaming_rate(chip, constants[memory_share]);
  const double busy = side_by_side(parts.compute_us, parts.memory_us);
  const double watts = constants[watts_per_tflops] * chip.wide_flops_per_us / chip.flops_per_us;
  parts.time_us = parts.start_us + throttled(chip, parts.flops, busy, watts, run);
  return parts;
}

KernelParts gemm_parts(const GemmCall& call, const Chip& chip, const KernelConstants& constants,
                       const KernelRun& run) {
  using namespace gemm_constant;
  const auto& [m, n, k, input_bytes, weight_bytes, output_bytes, quantizes] = call;
  const double cache = run.warm_cache ? chip.cache_bytes : 0;
  const double activations = m * k * input_bytes + m * n * output_bytes;
  const double weights = n * k * weight_bytes;
  KernelParts parts = product_parts(
      {m, n, k}, beyond_cache(activations, cache, activation_cache_gain) + weights, chip, constants, run);
  parts.bytes = activations + weights;
  if (quantizes) {
    // Read to find the scale, read to convert, written.
    const double moved = m * k * (2 * bytes_of_16_bits + input_bytes);
    parts.start_us += constants[quantize_us];
    parts.time_us += constants[quantize_us] + beyond_cache(moved, cache, activation_cache_gain) /
                                                  streaming_rate(chip, constants[memory_share]);
  }
  return parts;
}

}  // namespace commcost
