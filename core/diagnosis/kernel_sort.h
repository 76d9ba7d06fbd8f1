#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/parallel/communication.h"

namespace commcost {

/// What a kernel of a profile is, by its name.
enum class KernelSort : std::uint8_t {
  matmul,
  attention,
  elementwise,  ///< all other compute
  communication,
};
/// Sorts of compute, which come first.
inline constexpr std::size_t num_compute_sorts = 3;

/// The sort of a kernel by its name in cuBLAS, CUTLASS, Triton, cuDNN, flash-attention, NCCL and similar
/// libraries.
KernelSort sort_of(std::string_view kernel);

/// The dimension of a process group with that name, as Megatron-LM and torchtitan describe theirs; nothing if
/// the name gives none.
std::optional<Dimension> dimension_of(std::string_view group);

}  // namespace commcost
