#pragma once

#include <ostream>

#include "core/calculator/calculation.h"

namespace commcost {

/// A calculation in a failed test's parameters: by its name.
inline void PrintTo(const Calculation* calculation, std::ostream* out) {
  *out << calculation->name;
}

}  // namespace commcost
