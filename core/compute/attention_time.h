#pragma once

#include "core/compute/kernel_parts.h"

namespace commcost {

/// Constants of prefill kernels, in their order.
namespace prefill_constant {
enum { start_us, matrix_share, tile_start, softmax_size, move_passes, last_wave };
}
extern const std::array<KernelConstantRow, num_kernel_constants> prefill_constants;
KernelParts prefill_parts(const PrefillCall& call, const Chip& chip, const KernelConstants& constants,
                          const KernelRun& run);

/// Constants of decode kernels, in their order; matrix_share is the lone_share of heads that have their own
/// keys.
namespace decode_constant {
enum { start_us, memory_share, cache_gain, block_us, matrix_share, span_us };
}
extern const std::array<KernelConstantRow, num_kernel_constants> decode_constants;
extern const std::array<KernelConstantRow, num_kernel_constants> latent_decode_constants;
KernelParts decode_parts(const DecodeCall& call, const Chip& chip, const KernelConstants& constants,
                         const KernelRun& run);

}  // namespace commcost
