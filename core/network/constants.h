#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace commcost {

/// The constants of the prediction's rules: what physics leaves open and public measurements settle.
enum class Constant : std::size_t {
  latency_base,
  latency_step,
  latency_step_pcie,
  latency_nvlink5,
  launch,
  launch_nvlink2,
  launch_recent,
  share_nvlink2,
  share_nvlink3,
  share_nvlink4,
  share_nvlink5,
  share_infinity_fabric,
  share_die_mesh,
  share_pcie,
  share_other,
  share_pair,
  share_tree,
  share_reduce_nvlink4,
  share_reduce_nvlink5,
  mesh_gain_across_nodes,
  ramp_nvlink2,
  ramp_nvlink3,
  ramp_nvlink4,
  ramp_nvlink5,
  ramp_infinity_fabric,
  ramp_pcie,
  ramp_other,
  ramp_half_step,
  ramp_half_share,
  share_infiniband,
  share_slingshot,
  share_efa,
  share_gpudirect_tcp,
  net_latency_base,
  net_latency_node,
  net_latency_doubling,
  net_latency_ring_step,
  net_latency_efa,
  net_latency_efa_v1,
  net_latency_gpudirect_tcp,
  net_ramp,
  net_ramp_half_step,
  net_ramp_half_share,
  net_ramp_slingshot,
  net_ramp_efa,
  net_ramp_ring_efa,
  net_ramp_step_efa,
  net_ramp_gpudirect_tcp,
  count,
};

/// A value for each constant.
struct Constants {
  std::array<double, static_cast<std::size_t>(Constant::count)> values{};

  /// The value of one constant.
  double operator[](Constant constant) const { return values[static_cast<std::size_t>(constant)]; }
};

/// A constant's name, fitted value, and what is believed before measurements.
struct ConstantRow {
  Constant constant;
  std::string_view name;  ///< snake_case
  std::string_view unit;  ///< us, or empty for a share or factor
  double value;           ///< as fitted (`accuracy_report --fit` prints this column)
  double prior;           ///< before any measurement
  double prior_spread;    ///< of log(value) around log(prior)
  std::string_view help;  ///< what it is, one line
};

/// Every constant, in the order of the enum. Source: least squares on log time over the rows of healthy
/// sources in tests/data/measured_collectives.csv, made by bench/core/accuracy_report.
std::span<const ConstantRow> constant_rows();

/// The fitted values.
const Constants& fitted_constants();

}  // namespace commcost
