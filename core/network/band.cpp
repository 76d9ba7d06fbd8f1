#include "core/network/band.h"

#include <algorithm>
#include <string_view>

#include "core/network/doublings.h"

namespace commcost {
namespace {

struct BandRow {
  double message_size_bytes;
  Band band;
};

/// Measured curves of an accelerator: of one source, number of GPUs and collective each.
struct MeasuredCurves {
  std::string_view accelerator;  ///< id
  int in_node;                   ///< within a scale-up domain
  int across_nodes;
};

/// What held-out measurements say about a class.
struct ClassRow {
  double median_error_percent;
  double most_gpus;    ///< of any group that was measured
  BandRow by_size[3];  ///< between two sizes, the band is interpolated by doublings
};

// clang-format off
// The 10th and 90th percentile of measured over predicted time, each site predicted by constants fitted
// without its rows; `validation collectives --fit` prints this table.
constexpr ClassRow classes[] = {
    {6.2, 8, {{65536, {0.85, 1.15}}, {4194304, {0.73, 1.24}}, {268435456, {0.96, 1.09}}}},
    {12.0, 128, {{65536, {0.77, 1.26}}, {4194304, {0.73, 1.43}}, {268435456, {0.97, 1.17}}}},
    {23.5, 1024, {{65536, {0.71, 1.69}}, {4194304, {0.48, 2.06}}, {268435456, {0.97, 2.21}}}},
    {8.9, 128, {{65536, {1.00, 1.15}}, {4194304, {0.79, 1.26}}, {268435456, {0.95, 1.19}}}},
};
// As `validation collectives --fit` counts them.
constexpr MeasuredCurves curves[] = {
    {"a100-sxm-40gb", 4, 7},
    {"a100-sxm-80gb", 14, 3},
    {"b200", 17, 2},
    {"b300", 7, 0},
    {"gb200", 5, 1},
    {"gb300", 7, 0},
    {"gh200", 1, 6},
    {"h100-sxm", 19, 7},
    {"h200-sxm", 18, 0},
    {"l40s", 4, 0},
    {"mi300x", 1, 1},
    {"mi355x", 1, 0},
    {"rtx4090", 1, 0},
    {"v100-pcie", 1, 0},
    {"v100-sxm", 5, 3},
};
// clang-format on

constexpr Band similar{0.9, 1.12};
constexpr Band estimated{0.65, 1.7};
/// Extra width for each doubling of the GPUs beyond the largest group measured.
constexpr double wider_per_doubling = 0.1;

Band between(const BandRow& below, const BandRow& above, double size) {
  const double share = doublings(size / below.message_size_bytes) /
                       doublings(above.message_size_bytes / below.message_size_bytes);
  return {below.band.low + share * (above.band.low - below.band.low),
          below.band.high + share * (above.band.high - below.band.high)};
}

Band band_of(const ClassRow& row, double size) {
  const BandRow(&by_size)[3] = row.by_size;
  if (size <= by_size[0].message_size_bytes) return by_size[0].band;
  if (size <= by_size[1].message_size_bytes) return between(by_size[0], by_size[1], size);
  if (size < by_size[2].message_size_bytes) return between(by_size[1], by_size[2], size);
  return by_size[2].band;
}

const ClassRow& row_of(const GpuGroup& group) {
  return classes[static_cast<std::size_t>(accuracy_class_of(group))];
}

bool measured_between_nodes(const GpuGroup& group) {
  switch (group.network) {
    case NetworkKind::infiniband:
    case NetworkKind::roce:
    case NetworkKind::slingshot:
    case NetworkKind::efa:
    case NetworkKind::efa_v1:
    case NetworkKind::gpudirect_tcp:
      return group.fabric->topology != Topology::host;
    case NetworkKind::omnipath:
    case NetworkKind::ici:
    case NetworkKind::ethernet:
      break;
  }
  return false;
}

}  // namespace

bool is_fitted(Collective collective, bool spans_nodes) {
  switch (collective) {
    case Collective::all_reduce:
    case Collective::all_gather:
    case Collective::reduce_scatter:
      return true;
    case Collective::all_to_all:
      return !spans_nodes;
    case Collective::barrier:
    case Collective::broadcast:
    case Collective::gather:
    case Collective::reduce:
    case Collective::scatter:
    case Collective::send_receive:
      break;
  }
  return false;
}

AccuracyClass accuracy_class_of(const GpuGroup& group) {
  const bool rack = group.fabric->domain_size > 1 && group.fabric->topology == Topology::switched;
  if (rack) return AccuracyClass::racks;
  if (!group.spans_nodes()) return AccuracyClass::one_node;
  return group.network == NetworkKind::slingshot ? AccuracyClass::slingshot : AccuracyClass::several_nodes;
}

Basis basis_of(const GpuGroup& group, Collective collective) {
  const bool across = group.spans_nodes();
  if (!group.fabric->measured || !is_fitted(collective, across)) return Basis::estimated;
  if (across && !measured_between_nodes(group)) return Basis::estimated;
  for (const MeasuredCurves& row : curves) {
    if (row.accelerator == group.fabric->accelerator &&
        (across ? row.across_nodes : row.in_node) >= enough_series)
      return Basis::measured;
  }
  return Basis::similar;
}

double measured_error_percent(const GpuGroup& group, Basis basis) {
  return basis != Basis::estimated ? row_of(group).median_error_percent : 0;
}

Band band_of(const GpuGroup& group, Basis basis, double message_size_bytes) {
  const ClassRow& row = row_of(group);
  Band band = band_of(row, message_size_bytes);
  if (basis == Basis::similar) band = {band.low * similar.low, band.high * similar.high};
  if (basis == Basis::estimated) band = {band.low * estimated.low, band.high * estimated.high};
  if (group.num_gpus > row.most_gpus) {
    const double wider = 1 + wider_per_doubling * doublings(group.num_gpus / row.most_gpus);
    band = {band.low / wider, band.high * wider};
  }
  return band;
}

}  // namespace commcost
