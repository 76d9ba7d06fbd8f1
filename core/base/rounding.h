#pragma once

namespace commcost {

/// `value` (finite) to four decimals as Python's round(value, 4): by its exact decimal value, half to even.
double round_to_four_decimals(double value);

/// The same result from `estimate` (>= 0), a value within 8 ulp of the one to round, when that is certain;
/// a negative number when only the exact value can tell.
inline double round_estimate_to_four_decimals(double estimate) {
  constexpr double scale = 1e4;
  constexpr double trustworthy = 1125899906842624.0 / 4;  // 2^48: leaves four bits below the half
  const double scaled = estimate * scale;
  if (!(scaled < trustworthy)) return -1.0;
  const double whole = static_cast<double>(static_cast<long long>(scaled));
  const double from_half = scaled - whole - 0.5;
  const double uncertainty = scaled * 0x1p-48;
  if (from_half > uncertainty) return (whole + 1.0) / scale;
  if (from_half < -uncertainty) return whole / scale;
  return -1.0;
}

}  // namespace commcost
