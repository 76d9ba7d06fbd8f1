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
  latency_hop_ici,
  latency_nvlink2,
  latency_nvlink3,
  latency_nvlink4,
  latency_nvlink5,
  latency_infinity_fabric,
  latency_die_mesh,
  latency_pcie3,
  latency_pcie,
  latency_ici,
  latency_other,
  launch_thread,
  launch,
  launch_nvlink2,
  launch_recent,
  share_nvlink2,
  share_nvlink3,
  share_nvlink4,
  share_nvlink5,
  share_infinity_fabric,
  share_die_mesh,
  share_pcie3,
  share_pcie,
  share_ici,
  share_other,
  share_pair,
  share_pair_pass,
  share_tree,
  share_peer,
  share_peer_mesh,
  share_reduce_nvlink4,
  share_reduce_nvlink5,
  mesh_gain_across_nodes,
  ramp_nvlink2,
  ramp_nvlink3,
  ramp_nvlink4,
  ramp_nvlink5,
  ramp_infinity_fabric,
  ramp_die_mesh,
  ramp_pcie3,
  ramp_pcie,
  ramp_ici,
  ramp_other,
  ramp_half_step,
  ramp_half_share,
  net_share_infiniband,
  net_share_roce,
  net_share_slingshot,
  net_share_omnipath,
  net_share_efa,
  net_share_efa_v1,
  net_share_gpudirect_tcp,
  net_share_ici,
  net_share_ethernet,
  net_latency_infiniband,
  net_latency_roce,
  net_latency_slingshot,
  net_latency_omnipath,
  net_latency_efa,
  net_latency_efa_v1,
  net_latency_gpudirect_tcp,
  net_latency_ici,
  net_latency_ethernet,
  net_ramp_infiniband,
  net_ramp_roce,
  net_ramp_slingshot,
  net_ramp_omnipath,
  net_ramp_efa,
  net_ramp_efa_v1,
  net_ramp_gpudirect_tcp,
  net_ramp_ici,
  net_ramp_ethernet,
  across_latency_base,
  across_latency_node,
  across_latency_doubling,
  across_latency_crossing,
  across_latency_ring_step,
  across_ramp_inside,
  across_ramp_doubling,
  across_ramp_nvlink2,
  across_ramp_ring,
  across_ramp_half_share,
  slingshot_eager,
  slingshot_rendezvous,
  efa_ring_step,
  efa_doubling,
  rack_nics,
  count,
};

/// A value for each constant.
struct Constants {
  std::array<double, static_cast<std::size_t>(Constant::count)> values{};

  /// The value of one constant.
  double operator[](Constant constant) const { return values[static_cast<std::size_t>(constant)]; }

  /// The value for one kind, for constants in the order of an enum starting at `first`.
  template <class Kind>
  double of(Constant first, Kind kind) const {
    return values[static_cast<std::size_t>(first) + static_cast<std::size_t>(kind)];
  }
};

/// A constant's name, fitted value, and prior.
struct ConstantRow {
  Constant constant;
  std::string_view name;  ///< snake_case
  std::string_view unit;  ///< us, or empty for a share or factor
  double value;           ///< as fitted (`validation collectives --fit` prints this column)
  double prior;           ///< before any measurement
  double prior_spread;    ///< of log(value) around log(prior); 0: not fitted
  std::string_view help;  ///< what it is, one line
};

/// Every constant, in the order of the enum. Source: least squares on log time over the rows of healthy
/// sources in tests/data/measured_collectives.csv, made by bench/validation/collectives.
std::span<const ConstantRow> constant_rows();

/// The fitted values.
const Constants& fitted_constants();

}  // namespace commcost
