#include "core/hardware/host_copy.h"

#include <algorithm>
#include <vector>

#include "core/base/statistics.h"

namespace commcost {
namespace {

double measured_rate(const System& system, HostMemory memory) {
  return memory == HostMemory::pinned ? system.pinned_copy_gb_per_sec : system.pageable_copy_gb_per_sec;
}

// Over all systems with a figure: their rates, or their shares of the link.
double middle_of(HostMemory memory, bool as_share) {
  std::vector<double> rates;
  for (const System& system : all_systems()) {
    const double rate = measured_rate(system, memory);
    if (rate <= 0) continue;
    const double link = find_accelerator(system.accelerator)->fabric.host_gb_per_sec;
    rates.push_back(as_share ? rate / link : rate);
  }
  return median(rates);
}

}  // namespace

HostCopyRate host_copy_rate(const Accelerator& accelerator, const System* system, HostMemory memory) {
  if (system != nullptr && system->accelerator == accelerator.id) {
    const double measured = measured_rate(*system, memory);
    if (measured > 0) return {measured, true};
  }
  // Cached: every step asks, and the rows never change.
  static const double share = middle_of(HostMemory::pinned, true);
  static const double pageable = middle_of(HostMemory::pageable, false);
  const double pinned = share * accelerator.fabric.host_gb_per_sec;
  return {memory == HostMemory::pinned ? pinned : std::min(pinned, pageable), false};
}

double host_copy_us(double bytes, double gb_per_sec) {
  constexpr double bytes_per_us = 1e3;
  return bytes > 0 ? bytes / (gb_per_sec * bytes_per_us) : 0;
}

}  // namespace commcost
