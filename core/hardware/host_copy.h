#pragma once

#include <string_view>

#include "core/hardware/accelerators.h"
#include "core/hardware/systems.h"

namespace commcost {

/// Host memory that a GPU copies from and to.
enum class HostMemory {
  pinned,    ///< page-locked: the GPU reads and writes it by itself
  pageable,  ///< a core of the CPU first copies it into a pinned buffer
};
inline constexpr std::string_view host_memory_names[] = {"pinned", "pageable"};

/// How fast one GPU copies from or to host memory.
struct HostCopyRate {
  double gb_per_sec = 0;  ///< one way; 0: not known
  bool measured = false;  ///< on this very system
};

/// As measured on the system; if none is given or it has no figure, by the accelerator's link to the host:
/// pinned copies reach the median share of it on measured systems, pageable ones the median of measured
/// rates, since a CPU core sets their pace, and never more than pinned ones.
HostCopyRate host_copy_rate(const Accelerator& accelerator, const System* system, HostMemory memory);

/// Time of so many bytes at such a rate, us; 0 where there are none.
double host_copy_us(double bytes, double gb_per_sec);

}  // namespace commcost
