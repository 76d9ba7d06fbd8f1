#pragma once

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace commcost::validation::steps {

/// Relative errors of predictions, summed up.
struct Score {
  int rows = 0;
  int refused = 0;
  double absolute = 0;
  double signed_sum = 0;
  double greatest = 0;

  void add(double error) {
    ++rows;
    absolute += std::fabs(error);
    signed_sum += error;
    greatest = std::max(greatest, std::fabs(error));
  }
  double mean_percent() const { return 100 * absolute / rows; }
  void print(const char* name) const {
    std::printf("%-62s %5d rows  mean |error| %5.1f %%  bias %+5.1f %%  greatest %5.1f %%", name, rows,
                mean_percent(), 100 * signed_sum / rows, 100 * greatest);
    if (refused > 0) std::printf("  refused %d", refused);
    std::printf("\n");
  }
};

}  // namespace commcost::validation::steps
