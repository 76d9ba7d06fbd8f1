#include "core/diagnosis/calibrated_part.h"

#include <cmath>

#include "core/base/natural_log.h"

namespace commcost {

PartVerdict verdict_on(const CalibratedPart& part, double factor) {
  // Two measurements of one configuration differ by 3.5 % in the median: a smaller factor is noise.
  constexpr double noise = 0.035;
  // Curves of machines that were not fitted are predicted to within about 15 %.
  constexpr double far_off_percent = 20;
  if (std::abs(factor - 1) <= noise) return PartVerdict::as_expected;
  if (part.error_after_percent >= part.error_before_percent) return PartVerdict::not_better;
  return part.error_after_percent > far_off_percent ? PartVerdict::still_off : PartVerdict::offered;
}

double mean_error_percent(std::span<const double> predicted_over_measured) {
  if (predicted_over_measured.empty()) return 0;
  double sum = 0;
  for (const double ratio : predicted_over_measured) sum += std::abs(natural_log(ratio));
  return 100 * (natural_exp(sum / static_cast<double>(predicted_over_measured.size())) - 1);
}

}  // namespace commcost
