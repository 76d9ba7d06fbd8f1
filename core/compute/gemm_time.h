#pragma once

#include <span>

#include "core/compute/expert_loads.h"
#include "core/compute/kernel_parts.h"
#include "core/compute/tiles.h"
#include "core/model/kernels.h"

namespace commcost {

/// Constants of GEMMs, in their order.
namespace gemm_constant {
enum { start_us, matrix_share, memory_share, tile_start, quantize_us, watts_per_tflops };
}
extern const std::array<KernelConstantRow, num_kernel_constants> gemm_constants;
/// A product by its fastest tile.
struct TiledProduct {
  double us = 0;  ///< multiplying alone
  Tile tile{};    ///< of its output
};
/// Of `batch` products at `rate` FLOPs a microsecond and multiprocessor.
TiledProduct tiled_product(double batch, double m, double n, double k, const Chip& chip, double rate,
                           double tile_start);
/// One kernel that streams that many bytes while it multiplies; fills in all parts but `bytes`.
KernelParts product_parts(const Gemm& shape, double streamed_bytes, const Chip& chip,
                          const KernelConstants& constants, const KernelRun& run);
KernelParts gemm_parts(const GemmCall& call, const Chip& chip, const KernelConstants& constants,
                       const KernelRun& run);

/// Constants of grouped GEMMs, in their order.
namespace grouped_constant {
enum { start_us, matrix_share, memory_share, tile_start, move_passes, expert_us };
}
extern const std::array<KernelConstantRow, num_kernel_constants> grouped_gemm_constants;
/// One product of each expert, of `columns` and `inner`, the same of all; `streamed_bytes` as above.
struct ExpertProduct {
  std::span<const ExpertLoad> loads;
  double columns = 0;
  double inner = 0;
  double streamed_bytes = 0;
};
/// Time of one kernel, or of several in a row, that start once; fills in all parts but `start_us` and
/// `bytes`.
KernelParts expert_product_parts(std::span<const ExpertProduct> products, const Chip& chip,
                                 const KernelConstants& constants, const KernelRun& run);
KernelParts grouped_gemm_parts(const GroupedGemmCall& call, const Chip& chip,
                               const KernelConstants& constants, const KernelRun& run);

}  // namespace commcost
