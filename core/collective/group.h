#pragma once

#include <bit>

namespace commcost {

/// Who takes part in a schedule, and how finely it cuts the message.
struct Group {
  int ranks = 1;       ///< at least 1
  int group_size = 1;  ///< ranks of an inner group (node, row), a divisor of `ranks`; two_level and torus_2d
  int pieces = 1;      ///< pieces that a pipeline cuts the message (of a double tree: each half) into, >= 1
  int chunks = 1;      ///< chunks that the schedule tells apart; filled in by it
};

/// The whole part of lg n, n >= 1.
constexpr int floor_log2(int n) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(n))) - 1;
}

/// lg n rounded up, n >= 1.
constexpr int ceil_log2(int n) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(n - 1)));
}

/// The greatest power of two that is at most n, n >= 1.
constexpr int power_of_two_within(int n) {
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(n)));
}

/// Whether n >= 1 is a power of two.
constexpr bool is_power_of_two(int n) {
  return std::has_single_bit(static_cast<unsigned>(n));
}

}  // namespace commcost
