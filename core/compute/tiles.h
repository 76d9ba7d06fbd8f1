#pragma once

#include <algorithm>
#include <cmath>

#include "core/compute/chip.h"

// What every kernel depends on: tiles dealt out to multiprocessors, memory behind a cache, a limit on power.
namespace commcost {

inline constexpr double bytes_of_16_bits = 2;
/// Rate of activations that the kernel before has left in L2, over the memory's.
inline constexpr double activation_cache_gain = 4;

/// Rows and columns of an output that one multiprocessor (or a pair) works on at once.
struct Tile {
  double rows;
  double columns;
};

/// How many waves `tiles` tiles take on the multiprocessors. Tiles of one wave end at different times, so a
/// partly filled last wave costs only a share of a full one.
inline double waves(double tiles, double multiprocessors) {
  constexpr double share_of_last = 0.3;
  const double full = tiles / multiprocessors;
  // If their number is not known, no tile waits.
  if (multiprocessors <= 1) return full;
  return full <= 1 ? 1 : share_of_last * std::ceil(full) + (1 - share_of_last) * full;
}

/// How much slower a tile is than its FLOPs: the smaller it is, the more often operands are loaded again; of
/// `rows` at most those that exist.
inline double loading(const Tile& tile, double rows) {
  constexpr double free = 0.5;
  constexpr double elements = 48;
  const double loaded = std::min(tile.rows, rows);
  return std::max(1.0, 1 - free + elements * (tile.columns + loaded) / (tile.rows * tile.columns));
}

/// Multiplying and reading overlap, but not completely: the fourth root of the sum of fourth powers.
inline double side_by_side(double one_us, double other_us) {
  const double one = one_us * one_us;
  const double other = other_us * other_us;
  return std::sqrt(std::sqrt(one * one + other * other));
}

/// Streaming rate of a kernel, bytes per microsecond: a share of the memory's bandwidth, never more than all
/// of it.
inline double streaming_rate(const Chip& chip, double share) {
  return chip.hbm_bytes_per_us * std::min(1.0, share);
}

/// Bytes of the memory's time, where what fits is found in half of the L2, `gain` times as fast.
inline double beyond_cache(double bytes, double cache_bytes, double gain) {
  const double cached = std::min(bytes, cache_bytes / 2);
  return cached / std::max(1.0, gain) + (bytes - cached);
}

}  // namespace commcost
