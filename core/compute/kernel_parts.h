#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "core/compute/chip.h"
#include "core/compute/kernel_call.h"

namespace commcost {

/// The most constants that a kind of kernel has on one generation, in one format and library.
inline constexpr std::size_t num_kernel_constants = 6;
using KernelConstants = std::array<double, num_kernel_constants>;

/// A constant of a kind of kernel: its name, and its prior before any measurement.
struct KernelConstantRow {
  std::string_view name;  ///< snake_case
  double prior;
  double spread;  ///< of ln(value / prior); 0: the kind has no such constant
  std::string_view help;
};

/// The constants of a kind of kernel.
std::span<const KernelConstantRow, num_kernel_constants> constant_rows(KernelFamily family);

/// For how long a kernel is repeated.
enum class Load {
  burst,      ///< a few times: the clock falls only while one run draws more than the limit for long
  sustained,  ///< for a second and more, as in training: the power limit holds
};
inline constexpr std::string_view load_names[] = {"burst", "sustained"};

/// How a kernel is run.
struct KernelRun {
  Load load = Load::burst;
  double power_share = 1;  ///< of the power that products of random numbers draw back to back
  bool backward = false;   ///< its backward pass instead: the gradients of inputs and weights
  bool warm_cache =
      true;  ///< whether activations and caches that fit are in L2, as when a kernel is timed by itself
};

/// What a kernel's time is made of, us.
struct KernelParts {
  double time_us = 0;     ///< all of it
  double start_us = 0;    ///< before and between the work: launches inside a graph, set-up
  double compute_us = 0;  ///< multiplying alone
  double memory_us = 0;   ///< reading and writing alone
  double flops = 0;       ///< that the result needs
  double bytes = 0;       ///< that must be read and written
};

/// The time of a call on a chip, by its family's constants.
KernelParts parts_of(const KernelCall& call, const Chip& chip, const KernelConstants& constants,
                     const KernelRun& run);

}  // namespace commcost
