#pragma once

namespace commcost {

/// `estimate` to four decimals where that is certain though it may be off by 2^-52 * `ulps` of itself;
/// a negative number where it is not, or where it is negative.
inline double round_if_certain(double estimate, double ulps) {
  constexpr double scale = 1e4;
  constexpr double countable = 0x1p50;  // above, doubles are too coarse to tell the halves of a decimal
  const double scaled = estimate * scale;
  if (!(scaled >= 0 && scaled < countable)) return -1.0;
  const auto whole = static_cast<double>(static_cast<long long>(scaled));
  const double from_half = scaled - whole - 0.5;
  const double uncertainty = scaled * (0x1p-52 * (ulps + 1));
  if (from_half > uncertainty) return (whole + 1.0) / scale;
  if (from_half < -uncertainty) return whole / scale;
  return -1.0;
}

/// `value` (finite) to four decimals as Python's round(value, 4): by its exact decimal value, half to even.
double round_to_four_decimals(double value);

}  // namespace commcost
