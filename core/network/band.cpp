#include "core/network/band.h"

namespace commcost {
namespace {

/// Quantiles of measured over predicted time, each site predicted without its own rows (accuracy_report
/// prints them); between two sizes the band is interpolated on the logarithm of the size, by straight lines
/// in its bits.
struct BandRow {
  double message_size_bytes;
  Band band;
};

// clang-format off
constexpr BandRow one_node[] = {
    {65536, {0.72, 1.36}},
    {4194304, {0.74, 1.24}},
    {268435456, {0.93, 1.10}},
};
constexpr BandRow several_nodes[] = {
    {65536, {0.74, 2.00}},
    {4194304, {0.68, 2.25}},
    {268435456, {0.87, 1.75}},
};
// clang-format on

// Median absolute errors, leave-one-site-out (accuracy_report).
constexpr double one_node_error_percent = 4.4;
constexpr double several_nodes_error_percent = 16.0;

constexpr double model_alone_low = 0.65;
constexpr double model_alone_high = 1.7;

/// log4 of `ratio` in [1, 64] by straight lines: cheap, and equal natively and in wasm.
double steps_of_four(double ratio) {
  double steps = 0;
  while (ratio >= 4) {
    ratio /= 4;
    ++steps;
  }
  return steps + (ratio - 1) / 3;
}

Band between(const BandRow& below, const BandRow& above, double size) {
  const double share = steps_of_four(size / below.message_size_bytes) /
                       steps_of_four(above.message_size_bytes / below.message_size_bytes);
  return {below.band.low + share * (above.band.low - below.band.low),
          below.band.high + share * (above.band.high - below.band.high)};
}

}  // namespace

double measured_error_percent(const GpuGroup& group, Basis basis) {
  if (basis != Basis::calibrated) return 0;
  return group.spans_nodes() ? several_nodes_error_percent : one_node_error_percent;
}

Band band_of(const GpuGroup& group, Basis basis, double message_size_bytes) {
  const BandRow* rows = group.spans_nodes() ? several_nodes : one_node;
  Band band = rows[2].band;
  if (message_size_bytes <= rows[0].message_size_bytes) {
    band = rows[0].band;
  } else if (message_size_bytes <= rows[1].message_size_bytes) {
    band = between(rows[0], rows[1], message_size_bytes);
  } else if (message_size_bytes < rows[2].message_size_bytes) {
    band = between(rows[1], rows[2], message_size_bytes);
  }
  if (basis != Basis::calibrated) band = {band.low * model_alone_low, band.high * model_alone_high};
  return band;
}

}  // namespace commcost
