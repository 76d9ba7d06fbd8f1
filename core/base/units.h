#pragma once

namespace commcost {

/// Bytes in a KiB, a MiB and a GiB: powers of two.
inline constexpr double kib = 1024.0;
inline constexpr double mib = 1024.0 * kib;
inline constexpr double gib = 1024.0 * mib;

/// Bytes a second in 1 GB/s: a power of ten, as bandwidths are sold.
inline constexpr double gb_per_sec = 1e9;

/// The greatest whole number to which every whole number is exact as a double, 2^53 - 1.
inline constexpr double greatest_exact_whole = 9007199254740991.0;

/// Microseconds to move `bytes` at `bandwidth_gb_per_sec` (> 0).
constexpr double transfer_us(double bytes, double bandwidth_gb_per_sec) {
  return bytes / (bandwidth_gb_per_sec * 1e3);
}

}  // namespace commcost
