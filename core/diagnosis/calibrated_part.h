#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace commcost {

/// Whether a part is worth using, and if not, why.
enum class PartVerdict : std::uint8_t {
  offered,
  as_expected,  ///< its factor is 1, but for what measurements scatter by
  not_better,   ///< predictions of what it was not taken from are no closer
  still_off,    ///< they are closer, and still far off: one factor does not describe it
};
inline constexpr std::string_view part_verdict_names[] = {"offered", "as_expected", "not_better",
                                                          "still_off"};

/// What measurements calibrate of a scenario: an input with its value, and by how much predictions are off on
/// measurements that it was not taken from, before and after.
struct CalibratedPart {
  std::string_view field;  ///< an input of training_step
  double value = 1;        ///< to be set
  double log = 0;          ///< place of the network log that it is from, from 1; 0: the profile
  double error_before_percent = 0;
  double error_after_percent = 0;
  double used = 0;    ///< measurements that it was taken from
  double unused = 0;  ///< measurements that it was judged on
  PartVerdict verdict = PartVerdict::offered;
};

/// The verdict on a part that changes predictions by `factor`, by its errors on what it was not taken from.
PartVerdict verdict_on(const CalibratedPart& part, double factor);

/// Mean of |log(predicted / measured)|, percent; 0 for none.
double mean_error_percent(std::span<const double> predicted_over_measured);

}  // namespace commcost
