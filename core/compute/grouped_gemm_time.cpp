#include <vector>

#include "core/compute/expert_loads.h"
#include "core/compute/gemm_time.h"
#include "core/compute/power.h"
#include "core/compute/tiles.h"

namespace commcost {

const std::array<KernelConstantRow, num_kernel_constants> grouped_gemm_constants = {{
    {"start_us", 20, 0.7, "Routing, permuting and summing up a single token"},
    {"matrix_share", 0.7, 0.4, "Share of the matrix peak that full tiles reach"},
    {"memory_share", 0.75, 0.4, "Share of the memory bandwidth that weights are read at"},
    {"tile_start", 400, 0.8, "What a tile takes besides its inner dimension, in elements of it"},
    {"move_passes", 2, 0.6,
     "Times that tokens are moved once through memory to permute, quantize, activate and sum up"},
    {"expert_us", 0.01, 1, "Time for each expert that is met"},
}};

namespace {

constexpr Tile expert_tiles[] = {{256, 256}, {256, 128}, {128, 256}, {128, 128},
                                 {64, 128},  {32, 128},  {16, 128}};

}  // namespace

KernelParts expert_product_parts(std::span<const ExpertProduct> products, const Chip& chip,
                                 const KernelConstants& constants, const KernelRun& run) {
  using namespace grouped_constant;
  const double rate = chip.flops_per_us / chip.multiprocessors * constants[matrix_share];
  const double bandwidth = streaming_rate(chip, constants[memory_share]);
  KernelParts parts;
  double busy = 0;
  for (const auto& [loads, columns, inner, streamed_bytes] : products) {
    double compute = 0;
    for (const Tile& tile : expert_tiles) {
      double tiles = 0;
      double loaded = 0;
      for (const ExpertLoad& load : loads) {
        const double own = load.experts * std::ceil(load.tokens / tile.rows);
        tiles += own;
        loaded += own * loading(tile, load.tokens);
      }
      const double count = tiles * std::ceil(columns / tile.columns);
      const double us = waves(count, chip.multiprocessors) * 2 * tile.rows * tile.columns *
                        (inner + constants[tile_start]) * (loaded / tiles) / rate;
      if (compute == 0 || us < compute) compute = us;
    }
    const double memory = streamed_bytes / bandwidth;
    for (const ExpertLoad& load : loads) parts.flops += 2 * load.experts * load.tokens * columns * inner;
    parts.compute_us += compute;
    parts.memory_us += memory;
    busy += side_by_side(compute, memory);
  }
  const double watts =
      gemm_constants[gemm_constant::watts_per_tflops].prior * chip.wide_flops_per_us / chip.flops_per_us;
  parts.time_us = throttled(chip, parts.flops, busy, watts, run);
  return parts;
}

KernelParts grouped_gemm_parts(const GroupedGemmCall& call, const Chip& chip,
                               const KernelConstants& constants, const KernelRun& run) {
  using namespace grouped_constant;
  const std::vector<ExpertLoad> loads = expert_loads(call);
  const double width = call.ffn_hidden_size / call.expert_tensor_parallel;
  const double first_width = (call.gated ? 2 : 1) * width;
  double experts = 0;
  double rows = 0;
  for (const ExpertLoad& load : loads) {
    experts += load.experts;
    rows += load.experts * load.tokens;
  }
  // Activations come from the preceding kernel, most of them out of L2.
  const auto product = [&](double columns, double inner) -> ExpertProduct {
    const double activations = rows * (inner * call.input_bytes + columns * bytes_of_16_bits);
    return {loads, columns, inner,
            experts * columns * inner * call.weight_bytes + activations / activation_cache_gain};
  };
  const ExpertProduct products[] = {product(first_width, call.hidden_size), product(call.hidden_size, width)};
  KernelParts parts = expert_product_parts(products, chip, constants, run);
  const double moved =
      call.tokens * call.hidden_size * bytes_of_16_bits * (call.expert_parallel > 1 ? 1 : 2) +
      rows * (call.hidden_size * (call.input_bytes + bytes_of_16_bits) + width * call.input_bytes +
              first_width * bytes_of_16_bits);
  parts.bytes = moved + experts * (first_width + width) * call.hidden_size * call.weight_bytes;
  parts.start_us = constants[start_us] + constants[expert_us] * experts;
  const double moving = constants[move_passes] * moved / chip.hbm_bytes_per_us;
  parts.memory_us += moving;
  parts.time_us += parts.start_us + moving;
  return parts;
}

}  // namespace commcost
