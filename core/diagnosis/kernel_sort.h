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

/// The sort of a kernel of that name, as cuBLAS, CUTLASS, Triton, cuDNN, flash-attention, NCCL and their like
/// call theirs.
KernelSort sort_of(std::string_view kernel);

/// The dimension that a process group of that name is of, as Megatron-LM and torchtitan describe theirs;
/// nothing where the name says none.
std::optional<Dimension> dimension_of(std::string_view group);

}  // namespace commcost
