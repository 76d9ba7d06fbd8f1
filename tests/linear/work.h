#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>

namespace commcost::linear {

/// What something took, the same on every machine.
struct Work {
  double blocks = 0;  ///< basic blocks of the core that ran
  double bytes = 0;   ///< allocated, copied, moved, set, compared or looked through
};

/// Begins to count anew.
void begin_counting();
/// What was counted since; counting ends.
Work counted();
/// Adds to it; called by what is counted.
void count_bytes(std::size_t bytes);

/// How work grows with its input: log2 of what twice as much more takes, 1 where it is in proportion, 2 where
/// it is its square. What is the same for every size does not hide it; 0 where nothing grows.
struct Growth {
  double blocks = 0;
  double bytes = 0;
};

/// Of `run(n)`, where an input of size n is made beforehand by `make(n)`.
template <class Make, class Run>
Growth growth_of(std::size_t n, const Make& make, const Run& run);

/// The same of work counted at n, 2n, 4n and 8n.
double growth(const double (&work)[4]);

/// Above n log n at the sizes that are tried, well below n^1.5.
inline constexpr double steepest = 1.2;

template <class Make, class Run>
Growth growth_from(std::size_t n, const Make& make, const Run& run) {
  double blocks[4];
  double bytes[4];
  for (std::size_t at = 0; at < 4; ++at) {
    const auto input = make(n << at);
    // What is made only once is not counted.
    if (at == 0) run(input);
    begin_counting();
    run(input);
    const Work work = counted();
    blocks[at] = work.blocks;
    bytes[at] = work.bytes;
  }
  return {growth(blocks), growth(bytes)};
}

// One buffer that doubles takes a step at some sizes; work that is steeper is so from every size.
template <class Make, class Run>
Growth growth_of(std::size_t n, const Make& make, const Run& run) {
  const Growth first = growth_from(n, make, run);
  if (first.blocks < steepest && first.bytes < steepest) return first;
  const Growth second = growth_from(n + n / 3, make, run);
  return {std::min(first.blocks, second.blocks), std::min(first.bytes, second.bytes)};
}

/// Prints both slopes, and fails where one is too steep.
void expect_linear(const std::string& what, const Growth& growth);

}  // namespace commcost::linear
