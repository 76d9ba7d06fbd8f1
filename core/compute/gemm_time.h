#pragma once

#include "core/compute/kernel_parts.h"
#include "core/compute/tiles.h"

namespace commcost {

/// Constants of GEMMs, in their order.
namespace gemm_constant {
enum { start_us, matrix_share, memory_share, tile_start, quantize_us, watts_per_tflops };
}
extern const std::array<KernelConstantRow, num_kernel_constants> gemm_constants;
/// A product by the tile that is quickest.
struct TiledProduct {
  double us = 0;  ///< multiplying alone
  Tile tile{};    ///< of its output
};
/// Of `batch` products at `rate` FLOPs a microsecond and multiprocessor.
TiledProduct tiled_product(double batch, double m, double n, double k, const Chip& chip, double rate,
                           double tile_start);
KernelParts gemm_parts(const GemmCall& call, const Chip& chip, const KernelConstants& constants,
                       const KernelRun& run);

/// Constants of grouped GEMMs, in their order.
namespace grouped_constant {
enum { start_us, matrix_share, memory_share, tile_start, move_passes, expert_us };
}
extern const std::array<KernelConstantRow, num_kernel_constants> grouped_gemm_constants;
/// The same of `experts` that have `tokens` each.
double tiled_experts_us(double experts, double tokens, double n, double k, const Chip& chip, double rate,
                        double tile_start);
KernelParts grouped_gemm_parts(const GroupedGemmCall& call, const Chip& chip,
                               const KernelConstants& constants, const KernelRun& run);

}  // namespace commcost
