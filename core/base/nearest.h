#pragma once

#include <cstdint>
#include <string>

#include "core/base/number_text.h"

namespace commcost {

/// Numbers that are tried on either side of one that is refused.
inline constexpr std::int64_t most_tried = 4096;

/// The nearest whole numbers below `got`, from 1 on, and above for which `holds` is true, such as "4 or 8".
/// Empty where none is near.
template <class Holds>
std::string nearest_numbers(std::int64_t got, Holds holds) {
  std::string said;
  for (const std::int64_t way : {-1, 1}) {
    for (std::int64_t step = 1; step <= most_tried; ++step) {
      const std::int64_t tried = got + way * step;
      if (tried < 1) break;
      if (!holds(tried)) continue;
      said += (said.empty() ? "" : " or ") + text_of(static_cast<double>(tried));
      break;
    }
  }
  return said;
}

/// What to type instead of `got`, such as "; try 4 or 8". Empty where nothing is near.
template <class Holds>
std::string nearest_allowed(std::int64_t got, Holds holds) {
  const std::string near = nearest_numbers(got, holds);
  return near.empty() ? near : "; try " + near;
}

}  // namespace commcost
