#include "core/network/nccl_tables.h"

namespace commcost {
namespace {

constexpr double no = -1;

// NCCL 2.30.7 (commit 5067397), src/graph/tuning.cc lines 149-211, 226 and 600-620: facts restated.
// clang-format off
// rows: tree, ring, CollNet direct, CollNet chain, NVLS, NVLS tree, PAT; columns: LL, LL128, Simple
constexpr PerAlgorithm base_latency = {{
    {6.8, 14.0, 8.4}, {6.6, 14.0, 8.4}, {no, no, 0}, {no, no, 0}, {no, no, 0}, {no, no, 0}, {no, no, 8.0}}};
constexpr PerAlgorithm nvlink_latency = {{
    {0.6, 1.25, 4.0}, {0.6, 1.9, 3.4}, {no, no, 3.7}, {no, no, 2.8}, {no, no, 25}, {no, no, 25}, {no, no, 4.0}}};
constexpr PerAlgorithm pci_latency = {{
    {1.0, 1.9, 4.0}, {1.0, 2.5, 5.7}, {no, no, 3.7}, {no, no, 2.8}, {no, no, 0}, {no, no, 0}, {no, no, 4.0}}};
constexpr PerAlgorithm net_latency = {{
    {5.0, 8.5, 14}, {2.7, 4.0, 14.0}, {no, no, 31}, {no, no, 30}, {no, no, 18}, {no, no, 20.9}, {no, no, 14}}};

constexpr double tree_correction[nccl_protocols][24] = {
    {1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1, 1},
    {1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1, 1},
    {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9, .9}};

// name, LL cap, ring LL128, tree LL128, tree, NVLS tree, NVLS efficiency, plateau
constexpr NcclGeneration generations[] = {
    {"Volta", {39.0, 39.0, 20.4}, {20, 20, 20}, {20, 20, 20}, {26.5, 18.5, 10.0}, {26.5, 18.5, 10.0}, 0, 1.9},
    {"Ampere", {87.7, 22.5, 19.0}, {20, 20, 20}, {20, 20, 20}, {24.0, 23.6, 17.8}, {24.0, 23.6, 17.8}, 0, 1.4},
    {"Hopper", {141, 45.0, 35.0}, {36.7, 36.7, 36.7}, {36.7, 36.7, 29.0}, {38.7, 41.4, 36.0}, {0, 57.7, 45.5}, .85, 1.4},
    {"Blackwell", {282, 90, 70}, {40, 40, 40}, {55.6, 31.67, 20.0}, {70.0, 42.8, 24.0}, {0, 96, 80}, .74, 1.4},
};

constexpr std::string_view derived = "derived from NCCL's search speeds (search.cc 1051-1070), not confirmed by a log";
constexpr NcclBox boxes[] = {
    {FabricClass::nvlink2, Topology::cube_mesh, 0, 120, 6, 20, 0, false, true, derived},
    {FabricClass::nvlink3, Topology::switched, 1, 240, 12, 20, 0, true, true, "logs: nChannels 12, bw 20.0/20.0"},
    {FabricClass::nvlink4, Topology::switched, 2, 370.8, 12, 30, 40, false, true, "graph dump quoted in nccl issue 1197"},
    {FabricClass::nvlink4, Topology::mesh, 2, 370.8, 12, 30, 0, false, true, derived},
    {FabricClass::nvlink4, Topology::bridge_pair, 2, 247.2, 4, 60, 0, false, true, derived},
    {FabricClass::nvlink5, Topology::switched, 3, 721.8, 16, 45, 80, false, true, derived},
    {FabricClass::pcie, Topology::host, 1, 24, 1, 20, 0, false, false, derived},
};
// clang-format on

}  // namespace

const PerAlgorithm& nccl_base_latency() {
  return base_latency;
}
const PerAlgorithm& nccl_nvlink_latency() {
  return nvlink_latency;
}
const PerAlgorithm& nccl_pci_latency() {
  return pci_latency;
}
const PerAlgorithm& nccl_net_latency() {
  return net_latency;
}
std::span<const double> nccl_tree_correction(NcclProtocol protocol) {
  return tree_correction[static_cast<std::size_t>(protocol)];
}
std::span<const NcclGeneration> nccl_generations() {
  return generations;
}
std::span<const NcclBox> nccl_boxes() {
  return boxes;
}

}  // namespace commcost
