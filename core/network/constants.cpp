#include "core/network/constants.h"

namespace commcost {
namespace {

using enum Constant;

// clang-format off
constexpr ConstantRow rows[] = {
    {latency_base, "latency_base", "us", 5.575, 6, .3, "Start of a collective in one node (NCCL's LL: 6.6)"},
    {latency_step, "latency_step", "us", 0.5777, .5, .3, "A step over NVLink or Infinity Fabric (NCCL's LL: 0.6)"},
    {latency_step_pcie, "latency_step_pcie", "us", 0.9114, 1, .3, "A step over PCIe (NCCL's LL: 1.0)"},
    {latency_nvlink5, "latency_nvlink5", "", 1.679, 1.5, .3, "Latency of NVLink 5 systems over that of earlier ones"},
    {launch, "launch", "us", 4.411, 4.4, .1, "Launch of one GPU's kernel by a process that serves several"},
    {launch_nvlink2, "launch_nvlink2", "us", 6.066, 6, .1, "The same on hosts of the V100's time"},
    {launch_recent, "launch_recent", "us", 5.436, 5.2, .1, "The same on Blackwell and Instinct hosts"},
    {share_nvlink2, "share_nvlink2", "", 0.9208, .92, .03, "Share of the link that a ring reaches"},
    {share_nvlink3, "share_nvlink3", "", 0.7915, .80, .03, "Share of the link that a ring reaches"},
    {share_nvlink4, "share_nvlink4", "", 0.8034, .82, .03, "Share of the link that a ring reaches"},
    {share_nvlink5, "share_nvlink5", "", 0.765, .77, .03, "Share of the link that a ring reaches"},
    {share_infinity_fabric, "share_infinity_fabric", "", 0.7212, .72, .03, "Share of the link that a ring reaches"},
    {share_die_mesh, "share_die_mesh", "", 0.38, 0.38, .03, "Share of the links of an MI250X that a ring through its dies reaches; nothing measured"},
    {share_pcie, "share_pcie", "", 0.7972, .80, .03, "Share of the link that a ring reaches"},
    {share_other, "share_other", "", 0.85, .85, .03, "Share of the link that a ring reaches; nothing measured"},
    {share_pair, "share_pair", "", 0.8256, .84, .05, "What two GPUs of a switched node reach of that"},
    {share_tree, "share_tree", "", 0.8377, .85, .05, "What trees inside nodes reach of a ring's rate"},
    {share_reduce_nvlink4, "share_reduce_nvlink4", "", 0.679, .69, .03, "Share of the link with reduction in the switch"},
    {share_reduce_nvlink5, "share_reduce_nvlink5", "", 0.6023, .61, .03, "Share of the link with reduction in the switch"},
    {mesh_gain_across_nodes, "mesh_gain_across_nodes", "", 1.16, 1.15, .05, "Ring rate of an Infinity Fabric node within a larger group, over alone"},
    {ramp_nvlink2, "ramp_nvlink2", "us", 123.7, 100, 1, "Ramp of eight GPUs"},
    {ramp_nvlink3, "ramp_nvlink3", "us", 172.7, 150, 1, "Ramp of eight GPUs"},
    {ramp_nvlink4, "ramp_nvlink4", "us", 53.37, 60, 1, "Ramp of eight GPUs"},
    {ramp_nvlink5, "ramp_nvlink5", "us", 111.8, 100, 1, "Ramp of eight GPUs"},
    {ramp_infinity_fabric, "ramp_infinity_fabric", "us", 93.74, 80, 1, "Ramp of eight GPUs"},
    {ramp_pcie, "ramp_pcie", "us", 55.8, 50, 1, "Ramp of eight GPUs"},
    {ramp_other, "ramp_other", "us", 80, 80, 1, "Ramp of eight GPUs; nothing measured"},
    {ramp_half_step, "ramp_half_step", "", 1.165, 1, .5, "Ramp of a collective of n-1 steps over an all-reduce's"},
    {ramp_half_share, "ramp_half_share", "", 0.2533, .5, 1, "Transfer time at half ramp, over the ramp"},
    {share_infiniband, "share_infiniband", "", 0.9526, .95, .02, "Share of the line rate between nodes"},
    {share_slingshot, "share_slingshot", "", 0.9222, .93, .05, "Share of the line rate between nodes"},
    {share_efa, "share_efa", "", 0.9246, .93, .03, "Share of the line rate between nodes"},
    {share_gpudirect_tcp, "share_gpudirect_tcp", "", 0.9191, .92, .03, "Share of the line rate between nodes"},
    {net_latency_base, "net_latency_base", "us", 5.821, 6, .3, "Start of a collective across nodes"},
    {net_latency_node, "net_latency_node", "us", 1.621, 2, .5, "Within nodes, per (GPUs in node - 1)^1.25"},
    {net_latency_doubling, "net_latency_doubling", "us", 9.957, 10, .3, "A doubling of the nodes: once up, once down a tree (NCCL's LL: 2 x 5)"},
    {net_latency_ring_step, "net_latency_ring_step", "us", 1.304, 1.2, .5, "A step of a ring across nodes"},
    {net_latency_efa, "net_latency_efa", "", 2.145, 2.2, .3, "Latency over InfiniBand's"},
    {net_latency_efa_v1, "net_latency_efa_v1", "", 4.571, 4.6, .3, "Latency over InfiniBand's"},
    {net_latency_gpudirect_tcp, "net_latency_gpudirect_tcp", "", 3.646, 4, .3, "Latency over InfiniBand's"},
    {net_ramp, "net_ramp", "us", 186.6, 100, 1, "Ramp of two nodes of one GPU; grows as the root of GPUs in a node and of nodes"},
    {net_ramp_half_step, "net_ramp_half_step", "", 0.2738, .5, .7, "Ramp of a collective of n-1 steps over an all-reduce's"},
    {net_ramp_half_share, "net_ramp_half_share", "", 0.4156, .3, 1, "Transfer time at half ramp, over the ramp"},
    {net_ramp_slingshot, "net_ramp_slingshot", "", 3.007, 2, .5, "Ramp over InfiniBand's"},
    {net_ramp_efa, "net_ramp_efa", "", 1.293, 1.4, .5, "Ramp over InfiniBand's"},
    {net_ramp_ring_efa, "net_ramp_ring_efa", "us", 33, 33, .1, "Ramp of a ring of n-1 steps across EFA, per step (Ultra-Scale Playbook: all-gather of 256 MB on 2 to 64 nodes)"},
    {net_ramp_step_efa, "net_ramp_step_efa", "us", 90, 90, .1, "Ramp of an all-reduce over more than two nodes on EFA, per rank (Ultra-Scale Playbook: 256 MB on 4 to 64 nodes)"},
    {net_ramp_gpudirect_tcp, "net_ramp_gpudirect_tcp", "", 1.872, 1.5, .5, "Ramp over InfiniBand's"},
};
// clang-format on

static_assert(std::size(rows) == static_cast<std::size_t>(Constant::count));

constexpr Constants fitted = [] {
  Constants constants;
  for (const ConstantRow& row : rows) constants.values[static_cast<std::size_t>(row.constant)] = row.value;
  return constants;
}();

}  // namespace

std::span<const ConstantRow> constant_rows() {
  return rows;
}

const Constants& fitted_constants() {
  return fitted;
}

}  // namespace commcost
