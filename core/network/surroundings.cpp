#include "core/network/surroundings.h"

namespace commcost {
namespace {

/// A kind of machine that can be told by its accelerator, node size and network rate.
struct UsualNetwork {
  std::string_view accelerator;
  double least_gpus_per_node;
  double greatest_gpus_per_node;
  double least_gb_per_sec;
  double greatest_gb_per_sec;
  NetworkKind kind;
  std::string_view machine;
};

// clang-format off
constexpr UsualNetwork usual_networks[] = {
    {"a100-sxm-40gb", 8, 8, 4, 7, NetworkKind::efa_v1, "AWS p4d, 4 x 100 Gb/s EFA"},
    {"a100-sxm-80gb", 8, 8, 4, 7, NetworkKind::efa_v1, "AWS p4de, 4 x 100 Gb/s EFA"},
    {"a100-sxm-40gb", 4, 4, 12, 26, NetworkKind::slingshot, "Polaris, Perlmutter"},
    {"h100-sxm", 8, 8, 49, 51, NetworkKind::efa, "AWS p5, 32 x 100 Gb/s EFA"},
    {"h100-sxm", 8, 8, 12, 26, NetworkKind::gpudirect_tcp, "GCP A3 High and A3 Mega"},
    {"gh200", 1, 4, 20, 30, NetworkKind::slingshot, "Alps, Isambard-AI"},
    {"mi250x", 1, 8, 10, 30, NetworkKind::slingshot, "Frontier, LUMI"},
    {"t4", 1, 8, 1, 13, NetworkKind::efa_v1, "AWS g4dn"},
};
// clang-format on

}  // namespace

NetworkKind usual_network(const Fabric& fabric, double gpus_per_node, double nic_gb_per_sec) {
  for (const UsualNetwork& usual : usual_networks) {
    if (usual.accelerator == fabric.accelerator && gpus_per_node >= usual.least_gpus_per_node &&
        gpus_per_node <= usual.greatest_gpus_per_node && nic_gb_per_sec >= usual.least_gb_per_sec &&
        nic_gb_per_sec <= usual.greatest_gb_per_sec) {
      return usual.kind;
    }
  }
  return NetworkKind::infiniband;
}

Launch usual_launch(const Fabric& fabric, double gpus_per_node, double nodes) {
  // Supercomputer nodes hold four GPUs and are measured under MPI; boxes of eight with one nccl-tests
  // process.
  const bool supercomputer = gpus_per_node <= 4 && fabric.topology != Topology::host;
  const bool rack = fabric.domain_size > 1;
  const bool not_a_gpu = fabric.fabric_class == FabricClass::other;
  return nodes > 1 || supercomputer || rack || not_a_gpu ? Launch::process_per_gpu : Launch::one_thread;
}

}  // namespace commcost
