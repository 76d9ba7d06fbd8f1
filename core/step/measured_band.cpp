#include "core/step/measured_band.h"

#include <algorithm>
#include <cmath>

namespace commcost {
namespace {

// A tenth of fewer is less than one run.
constexpr double least_runs = 10;
constexpr double similar_width = 1.5;
constexpr double unmeasured_width = 2;

}  // namespace

void ErrorSum::add(const ClassErrors& errors) {
  const auto weight = static_cast<double>(errors.runs);
  runs_ += weight;
  median_ += weight * errors.median_percent;
  tenth_ += weight * errors.tenth;
  nine_tenths_ += weight * errors.nine_tenths;
}

StepBand ErrorSum::band(StepBasis basis, double width, double least_spread) const {
  const double tenth = std::min(-least_spread, tenth_ / runs_ * width);
  const double nine_tenths = std::max(least_spread, nine_tenths_ / runs_ * width);
  return {basis, runs_, median_ / runs_, std::exp(-nine_tenths), std::exp(-tenth)};
}

StepBand nearest_band(const ErrorSum& same, const ErrorSum& similar, const ErrorSum& all,
                      double least_spread) {
  if (same.runs() >= least_runs) return same.band(StepBasis::measured, 1, least_spread);
  if (similar.runs() >= least_runs) return similar.band(StepBasis::similar, similar_width, least_spread);
  return all.band(StepBasis::not_measured, unmeasured_width, least_spread);
}

}  // namespace commcost
