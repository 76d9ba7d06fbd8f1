#include "bench/validation/fitting.h"

#include <cstdio>

namespace commcost::validation {

void print_constant(const std::string& stack, std::size_t rows, const Knob& knob, double error_percent,
                    double at_prior_percent) {
  std::printf(
      "  %-20s %-30s %5zu rows  prior %7.2f  value %8.3f  median error %5.1f %%, at the prior %5.1f %%\n",
      stack.c_str(), knob.name, rows, knob.prior, knob.value, error_percent, at_prior_percent);
}

}  // namespace commcost::validation
