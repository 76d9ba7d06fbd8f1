#pragma once

#include <cstdlib>

namespace commcost::fuzz {

/// Ends the program where something does not hold, for the fuzzer to keep its input.
inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace commcost::fuzz
