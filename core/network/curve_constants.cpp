#include "core/network/curve_constants.h"

namespace commcost {
namespace {

using enum Constant;

// clang-format off
constexpr ConstantRow rows[] = {
    {latency_base, "latency_base", "us", 4.855, 6, 0.3, "Start of a collective in one node (NCCL's LL: 6.6)"},
    {latency_step, "latency_step", "us", 0.7508, 0.5, 0.3, "A step over NVLink or Infinity Fabric (NCCL's LL: 0.6)"},
    {latency_step_pcie, "latency_step_pcie", "us", 0.9795, 1, 0.3, "A step over PCIe (NCCL's LL: 1.0)"},
    {latency_hop_ici, "latency_hop_ici", "us", 1, 1, 0, "A hop through a TPU's torus (scaling-book: about 1 us)"},
    {latency_nvlink2, "latency_nvlink2", "", 0.9968, 1, 0.2, "Latency over that of NVLink 4 systems"},
    {latency_nvlink3, "latency_nvlink3", "", 1.49, 1.2, 0.2, "Latency over that of NVLink 4 systems"},
    {latency_nvlink4, "latency_nvlink4", "", 1, 1, 0, "Latency over that of NVLink 4 systems"},
    {latency_nvlink5, "latency_nvlink5", "", 1.577, 1.5, 0.2, "Latency over that of NVLink 4 systems"},
    {latency_infinity_fabric, "latency_infinity_fabric", "", 1.231, 1.2, 0.2, "Latency over that of NVLink 4 systems"},
    {latency_die_mesh, "latency_die_mesh", "", 1.2, 1.2, 0, "Latency over that of NVLink 4 systems"},
    {latency_pcie3, "latency_pcie3", "", 1, 1, 0, "Latency over that of NVLink 4 systems"},
    {latency_pcie, "latency_pcie", "", 1, 1, 0, "Latency over that of NVLink 4 systems"},
    {latency_ici, "latency_ici", "", 1, 1, 0, "Latency over that of NVLink 4 systems"},
    {latency_other, "latency_other", "", 1, 1, 0, "Latency over that of NVLink 4 systems"},
    {launch_thread, "launch_thread", "us", 1.272, 1.5, 0.3, "Launch of one GPU's kernel where a process has a thread for each"},
    {launch, "launch", "us", 4.363, 4.4, 0.1, "Launch of one GPU's kernel by a thread that serves several"},
    {launch_nvlink2, "launch_nvlink2", "us", 6.126, 6, 0.1, "The same on hosts of the V100's time"},
    {launch_recent, "launch_recent", "us", 5.568, 5.2, 0.1, "The same on Blackwell and Instinct hosts"},
    {share_nvlink2, "share_nvlink2", "", 0.92, 0.92, 0.03, "Share of the link that a ring reaches"},
    {share_nvlink3, "share_nvlink3", "", 0.788, 0.8, 0.03, "Share of the link that a ring reaches"},
    {share_nvlink4, "share_nvlink4", "", 0.8017, 0.82, 0.03, "Share of the link that a ring reaches"},
    {share_nvlink5, "share_nvlink5", "", 0.7663, 0.77, 0.03, "Share of the link that a ring reaches"},
    {share_infinity_fabric, "share_infinity_fabric", "", 0.7196, 0.72, 0.03, "Share of the link that a ring reaches"},
    {share_die_mesh, "share_die_mesh", "", 0.38, 0.38, 0, "Share of the link that a ring reaches; nothing measured"},
    {share_pcie3, "share_pcie3", "", 0.7198, 0.72, 0.03, "Share of the link that a ring reaches"},
    {share_pcie, "share_pcie", "", 0.7868, 0.8, 0.03, "Share of the link that a ring reaches"},
    {share_ici, "share_ici", "", 0.96, 0.96, 0, "Share of the link that a ring reaches (scaling-book: bandwidth alone explains a TPU's collectives)"},
    {share_other, "share_other", "", 0.85, 0.85, 0, "Share of the link that a ring reaches; nothing measured"},
    {share_pair, "share_pair", "", 0.8386, 0.84, 0.05, "What two GPUs of a switched node reach of that"},
    {share_pair_pass, "share_pair_pass", "", 0.8513, 0.85, 0.1, "What a collective of one pass reaches of that: all-gather, reduce-scatter"},
    {share_tree, "share_tree", "", 0.833, 0.85, 0.05, "What trees inside nodes reach of a ring's rate"},
    {share_peer, "share_peer", "", 0.927, 0.927, 0, "Share of the links that a copy to one peer reaches behind a switch (ExaComm'24, Table 4: 278.2 of 300 GB/s)"},
    {share_peer_mesh, "share_peer_mesh", "", 0.805, 0.805, 0, "The same in a mesh of four (ExaComm'24, Table 4: 80.5 of 100 GB/s)"},
    {share_reduce_nvlink4, "share_reduce_nvlink4", "", 0.6806, 0.69, 0.03, "Share of the link with reduction in the switch"},
    {share_reduce_nvlink5, "share_reduce_nvlink5", "", 0.6055, 0.61, 0.03, "Share of the link with reduction in the switch"},
    {mesh_gain_across_nodes, "mesh_gain_across_nodes", "", 1.155, 1.15, 0.05, "Ring rate of an Infinity Fabric node within a larger group, over alone"},
    {ramp_nvlink2, "ramp_nvlink2", "us", 163.8, 100, 0.7, "Ramp of eight GPUs"},
    {ramp_nvlink3, "ramp_nvlink3", "us", 216.9, 150, 0.7, "Ramp of eight GPUs"},
    {ramp_nvlink4, "ramp_nvlink4", "us", 85.91, 60, 0.7, "Ramp of eight GPUs"},
    {ramp_nvlink5, "ramp_nvlink5", "us", 98.43, 100, 0.7, "Ramp of eight GPUs"},
    {ramp_infinity_fabric, "ramp_infinity_fabric", "us", 96.59, 80, 0.7, "Ramp of eight GPUs"},
    {ramp_die_mesh, "ramp_die_mesh", "us", 80, 80, 0, "Ramp of eight GPUs; nothing measured"},
    {ramp_pcie3, "ramp_pcie3", "us", 56.57, 50, 0.7, "Ramp of eight GPUs"},
    {ramp_pcie, "ramp_pcie", "us", 107.3, 50, 0.7, "Ramp of eight GPUs"},
    {ramp_ici, "ramp_ici", "us", 0.001, 0.001, 0, "Ramp of eight GPUs: none, XLA compiles the transfers in"},
    {ramp_other, "ramp_other", "us", 80, 80, 0, "Ramp of eight GPUs; nothing measured"},
    {ramp_half_step, "ramp_half_step", "", 0.9797, 1, 0.5, "Ramp of a collective of n-1 steps over an all-reduce's"},
    {ramp_half_share, "ramp_half_share", "", 1.199, 0.5, 1, "Transfer time at half ramp, over the ramp"},
    {net_share_infiniband, "net_share_infiniband", "", 0.9523, 0.95, 0.03, "Share of the line rate between nodes"},
    {net_share_roce, "net_share_roce", "", 0.95, 0.95, 0, "Share of the line rate between nodes; as InfiniBand's"},
    {net_share_slingshot, "net_share_slingshot", "", 0.9126, 0.93, 0.03, "Share of the line rate between nodes"},
    {net_share_omnipath, "net_share_omnipath", "", 0.85, 0.85, 0, "Share of the line rate between nodes; nothing measured"},
    {net_share_efa, "net_share_efa", "", 0.9311, 0.93, 0.03, "Share of the line rate between nodes"},
    {net_share_efa_v1, "net_share_efa_v1", "", 0.9269, 0.93, 0.03, "Share of the line rate between nodes"},
    {net_share_gpudirect_tcp, "net_share_gpudirect_tcp", "", 0.9183, 0.92, 0.03, "Share of the line rate between nodes"},
    {net_share_ici, "net_share_ici", "", 0.95, 0.95, 0, "Share of the line rate between nodes; nothing measured"},
    {net_share_ethernet, "net_share_ethernet", "", 0.7, 0.7, 0, "Share of the line rate between nodes; nothing measured"},
    {net_latency_infiniband, "net_latency_infiniband", "", 1, 1, 0, "Latency over InfiniBand's"},
    {net_latency_roce, "net_latency_roce", "", 1, 1, 0, "Latency over InfiniBand's"},
    {net_latency_slingshot, "net_latency_slingshot", "", 0.9865, 1, 0.3, "Latency over InfiniBand's"},
    {net_latency_omnipath, "net_latency_omnipath", "", 1.5, 1.5, 0, "Latency over InfiniBand's; nothing measured"},
    {net_latency_efa, "net_latency_efa", "", 2.169, 2.2, 0.3, "Latency over InfiniBand's"},
    {net_latency_efa_v1, "net_latency_efa_v1", "", 4.434, 4.6, 0.3, "Latency over InfiniBand's"},
    {net_latency_gpudirect_tcp, "net_latency_gpudirect_tcp", "", 3.675, 4, 0.3, "Latency over InfiniBand's"},
    {net_latency_ici, "net_latency_ici", "", 0.5, 0.5, 0, "Latency over InfiniBand's; nothing measured"},
    {net_latency_ethernet, "net_latency_ethernet", "", 5, 5, 0, "Latency over InfiniBand's; nothing measured"},
    {net_ramp_infiniband, "net_ramp_infiniband", "", 1, 1, 0, "Ramp over InfiniBand's"},
    {net_ramp_roce, "net_ramp_roce", "", 1, 1, 0, "Ramp over InfiniBand's"},
    {net_ramp_slingshot, "net_ramp_slingshot", "", 0.001, 0.001, 0, "Ramp over InfiniBand's: a change of protocol instead"},
    {net_ramp_omnipath, "net_ramp_omnipath", "", 1.5, 1.5, 0, "Ramp over InfiniBand's; nothing measured"},
    {net_ramp_efa, "net_ramp_efa", "", 1.209, 1.4, 0.5, "Ramp over InfiniBand's"},
    {net_ramp_efa_v1, "net_ramp_efa_v1", "", 3.008, 3, 0.5, "Ramp over InfiniBand's"},
    {net_ramp_gpudirect_tcp, "net_ramp_gpudirect_tcp", "", 2.08, 1.5, 0.5, "Ramp over InfiniBand's"},
    {net_ramp_ici, "net_ramp_ici", "", 0.5, 0.5, 0, "Ramp over InfiniBand's; nothing measured"},
    {net_ramp_ethernet, "net_ramp_ethernet", "", 3, 3, 0, "Ramp over InfiniBand's; nothing measured"},
    {across_latency_base, "across_latency_base", "us", 4.628, 6, 0.3, "Start of a collective across nodes"},
    {across_latency_node, "across_latency_node", "us", 1.754, 2, 0.5, "Within nodes, per (GPUs in node - 1)^1.25"},
    {across_latency_doubling, "across_latency_doubling", "us", 10.85, 10, 0.3, "A doubling of the nodes: once up, once down a tree (NCCL's LL: 2 x 5)"},
    {across_latency_crossing, "across_latency_crossing", "us", 4.163, 2.7, 0.5, "A step of a ring from node to node (NCCL's LL: 2.7)"},
    {across_latency_ring_step, "across_latency_ring_step", "us", 0.5658, 0.6, 0.3, "A step of a ring within nodes (NCCL's LL: 0.6)"},
    {across_ramp_inside, "across_ramp_inside", "us", 116.1, 100, 1, "Ramp within nodes of eight GPUs"},
    {across_ramp_doubling, "across_ramp_doubling", "us", 199.4, 50, 1, "Ramp of a doubling of the nodes: trees are a doubling deeper"},
    {across_ramp_nvlink2, "across_ramp_nvlink2", "", 1.324, 1.5, 0.5, "Ramp of V100 nodes over later ones'"},
    {across_ramp_ring, "across_ramp_ring", "us", 27.56, 20, 1, "Ramp of a ring of n-1 steps over two ranks; grows as the root of the ranks"},
    {across_ramp_half_share, "across_ramp_half_share", "", 0.2226, 0.3, 1, "Transfer time at half ramp, over the ramp"},
    {slingshot_eager, "slingshot_eager", "us", 11.87, 12, 0.5, "Lost beyond 4 KiB, where libfabric leaves its eager protocol, per doubling of the nodes"},
    {slingshot_rendezvous, "slingshot_rendezvous", "us", 215.6, 250, 0.5, "Lost from 64 KiB to 1 MiB on, where buffers are agreed upon, per doubling of the nodes"},
    {efa_ring_step, "efa_ring_step", "us", 33.99, 33, 0.3, "Ramp of a ring of n-1 steps across EFA, per step (Ultra-Scale Playbook: all-gather of 256 MB on 2 to 64 nodes)"},
    {efa_doubling, "efa_doubling", "us", 1477, 1000, 0.7, "Ramp of an all-reduce over more than two nodes on EFA, per doubling beyond (Ultra-Scale Playbook: 256 MB on 4 to 64 nodes)"},
    {rack_nics, "rack_nics", "", 9, 9, 0.1, "NICs of a rack that its rings and trees reach at once"},
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
