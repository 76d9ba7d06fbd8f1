#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace commcost {

/// Whether a part is worth using, and if not, why.
enum class PartVerdict : std::uint8_t {
  offered,
  as_expected,  ///< its factor is 1, within the scatter of measurements
  not_better,   ///< held-out predictions get no closer
  still_off,    ///< they get closer but stay far off: one factor does not describe it
};
inline constexpr std::string_view part_verdict_names[] = {"offered", "as_expected", "not_better",
                                                          "still_off"};

/// One calibrated input of a scenario: its value, and the error of predictions on held-out measurements
/// before and after.
struct CalibratedPart {
  std::string_view field;  ///< an input of training_step
  double value = 1;        ///< what to set it to
  double log = 0;          ///< place of the network log behind it, from 1; 0: the profile
  double error_before_percent = 0;
  double error_after_percent = 0;
  double used = 0;    ///< measurements that it was fitted to
  double unused = 0;  ///< measurements that it was judged on
  PartVerdict verdict = PartVerdict::offered;
};

/// The verdict on a part that changes predictions by `factor`, by its errors on held-out measurements.
PartVerdict verdict_on(const CalibratedPart& part, double factor);

/// Mean of |log(predicted / measured)|, percent; 0 for none.
double mean_error_percent(std::span<const double> predicted_over_measured);

}  // namespace commcost
