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

double tiled_experts_us(double experts, double tokens, double n, double k, const Chip& chip, double rate,
                        double tile_start) {
  double best = 0;
  for (const Tile& tile : expert_tiles) {
    const double count = experts * std::ceil(tokens / tile.rows) * std::ceil(n / tile.columns);
    const double us = waves(count, chip.multiprocessors) * 2 * tile.rows * tile.columns * (k + tile_start) *
                      loading(tile, tokens) / rate;
    if (best == 0 || us < best) best = us;
  }
  return best;
}

KernelParts grouped_gemm_parts(const GroupedGemmCall& call, const Chip& chip,
                               const KernelConstants& constants, const KernelRun& run) {
  using namespace grouped_constant;
  const std::vector<ExpertLoad> loads = expert_loads(call);
  const double width = call.ffn_hidden_size / call.expert_tensor_parallel;
  const double first_width = (call.gated ? 2 : 1) * width;
  const double rate = chip.flops_per_us / chip.multiprocessors * constants[matrix_share];
  const double bandwidth = streaming_rate(chip, constants[memory_share]);
  double experts = 0;
  double rows = 0;
  for (const ExpertLoad& load : loads) {
    experts += load.experts;
    rows += load.experts * load.tokens;
  }

  KernelParts parts;
  const auto multiply = [&](double n, double k) {
    double compute = 0;
    for (const Tile& tile : expert_tiles) {
      double count = 0;
      for (const ExpertLoad& load : loads) count += load.experts * std::ceil(load.tokens / tile.rows);
      count *= std::ceil(n / tile.columns);
      const double us = waves(count, chip.multiprocessors) * 2 * tile.rows * tile.columns *
                        (k + constants[tile_start]) * loading(tile, tile.rows) / rate;
      if (compute == 0 || us < compute) compute = us;
    }
    // Activations come from the kernel before, most of them out of L2.
    const double memory = (experts * n * k * call.weight_bytes +
                           rows * (k * call.input_bytes + n * bytes_of_16_bits) / activation_cache_gain) /
                          bandwidth;
    parts.flops += 2 * rows * n * k;
    parts.compute_us += compute;
    parts.memory_us += memory;
    return side_by_side(compute, memory);
  };
  double busy = multiply(first_width, call.hidden_size) + multiply(call.hidden_size, width);
  busy *= throttling(
      chip, parts.flops, busy,
      gemm_constants[gemm_constant::watts_per_tflops].prior * chip.wide_flops_per_us / chip.flops_per_us,
      run);
  const double moved =
      call.tokens * call.hidden_size * bytes_of_16_bits * (call.expert_parallel > 1 ? 1 : 2) +
      rows * (call.hidden_size * (call.input_bytes + bytes_of_16_bits) + width * call.input_bytes +
              first_width * bytes_of_16_bits);
  parts.bytes = moved + experts * (first_width + width) * call.hidden_size * call.weight_bytes;
  parts.start_us = constants[start_us] + constants[expert_us] * experts;
  const double moving = constants[move_passes] * moved / chip.hbm_bytes_per_us;
  parts.memory_us += moving;
  parts.time_us = parts.start_us + moving + std::max(busy, parts.flops / chip.limit_flops_per_us);
  return parts;
}

}  // namespace commcost
