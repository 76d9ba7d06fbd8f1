#include "core/network/line_rate.h"

#include <algorithm>

namespace commcost {
namespace {

constexpr double nvlink2_bricks = 6;

}  // namespace

double cube_mesh_rings(double gpus) {
  // Counted in the box's link matrix; five GPUs have no NVLink ring, the figure there is what vTrain measured
  // (37 GB/s of bus bandwidth).
  constexpr double rings[] = {0, 0, 1, 2, 4, 1.66, 2, 4, 6};
  return rings[static_cast<std::size_t>(std::clamp(gpus, 2.0, 8.0))];
}

double line_rate(const GpuGroup& group, double gpus) {
  const Fabric& fabric = *group.fabric;
  if (group.quad && fabric.topology != Topology::host) {
    return fabric.link_gb_per_sec * std::min(1.0, (gpus - 1) / 3);
  }
  switch (fabric.topology) {
    case Topology::mesh:
      return fabric.link_gb_per_sec * std::min(1.0, (gpus - 1) / (fabric.mesh_size - 1));
    case Topology::cube_mesh:
      return fabric.link_gb_per_sec / nvlink2_bricks * cube_mesh_rings(gpus);
    case Topology::bridge_pair:
      return gpus > 2 ? fabric.host_gb_per_sec : fabric.link_gb_per_sec;
    case Topology::switched:
    case Topology::host:
    case Topology::torus:
      break;
  }
  return fabric.link_gb_per_sec;
}

double peer_rate(const GpuGroup& group) {
  const Fabric& fabric = *group.fabric;
  if (fabric.topology == Topology::cube_mesh && !group.quad) return fabric.link_gb_per_sec / nvlink2_bricks;
  return line_rate(group, 2);
}

}  // namespace commcost
