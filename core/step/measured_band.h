#pragma once

#include <string_view>

namespace commcost {

/// What the band of a step rests on.
enum class StepBasis {
  measured,      ///< steps of this recipe on this generation of accelerators, dense or with experts, on as
                 ///< many of them
  similar,       ///< steps of this recipe elsewhere, or on fewer: half as wide again
  not_measured,  ///< steps of all recipes, of that kind: twice as wide
};
inline constexpr std::string_view step_basis_names[] = {"measured", "similar", "not_measured"};

/// How far measured steps of a class lay from predictions by constants that had not seen them.
struct StepBand {
  StepBasis basis = StepBasis::not_measured;
  double measured_runs = 0;           ///< of the class
  double measured_error_percent = 0;  ///< median of the absolute errors
  double low = 1;                     ///< factor on a prediction: a tenth of the class was quicker
  double high = 1;                    ///< a tenth was slower
};

/// Of one class of measured steps, ln(predicted / measured) on left-out sources or models.
struct ClassErrors {
  int runs;
  double median_percent;  ///< of the absolute errors
  double tenth;
  double nine_tenths;
};

/// Classes taken together, each by its runs.
class ErrorSum {
 public:
  void add(const ClassErrors& errors);
  double runs() const { return runs_; }
  /// The band of these errors, `width` times as wide, and on either side at least `least_spread`.
  StepBand band(StepBasis basis, double width, double least_spread) const;

 private:
  double runs_ = 0;
  double median_ = 0;
  double tenth_ = 0;
  double nine_tenths_ = 0;
};

/// The band by the nearest of three sums that has runs enough: the same class, classes of the same stack,
/// all.
StepBand nearest_band(const ErrorSum& same, const ErrorSum& similar, const ErrorSum& all,
                      double least_spread = 0);

}  // namespace commcost
