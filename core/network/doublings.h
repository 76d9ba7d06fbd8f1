#pragma once

namespace commcost {

/// How often 1 must be doubled to give `ratio` (>= 1): log2 by straight lines between powers of two. Exact
/// there, increasing, and equal natively and in wasm.
constexpr double doublings(double ratio) {
  double power = 1;
  double count = 0;
  while (power * 2 <= ratio) {
    power *= 2;
    ++count;
  }
  return count + (ratio - power) / power;
}

}  // namespace commcost
