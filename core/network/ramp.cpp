#include "core/network/ramp.h"

#include <algorithm>
#include <cmath>

#include "core/network/doublings.h"
#include "core/network/passes.h"

namespace commcost {
namespace {

/// The GPUs per node for which the constants were fitted.
constexpr double usual_peers = 7;
/// Transfer time (us) at which half of a ring's ramp on EFA is lost, to the power 5/8: about 300 kB a node's
/// NICs.
constexpr double efa_ring_half = 1;

Ramp ramp_in_node(const GpuGroup& group, Collective collective, const Constants& constants) {
  Ramp ramp;
  ramp.fill_us = constants.of(Constant::ramp_nvlink2, group.fabric->fabric_class) *
                 std::sqrt((group.num_gpus - 1) / usual_peers);
  if (ring_passes(collective) == 1) ramp.fill_us *= constants[Constant::ramp_half_step];
  ramp.fill_half = ramp_power(constants[Constant::ramp_half_share] * ramp.fill_us);
  return ramp;
}

/// Of an all-reduce, whose trees are a level deeper for each doubling of the nodes.
double tree_fill_us(const GpuGroup& group, const Constants& constants) {
  const double inside = constants[Constant::across_ramp_inside] * (group.gpus_in_node - 1) / usual_peers;
  const double levels = constants[Constant::across_ramp_doubling] * doublings(group.nodes);
  const bool nvlink2 = group.fabric->fabric_class == FabricClass::nvlink2;
  return (inside + levels) * (nvlink2 ? constants[Constant::across_ramp_nvlink2] : 1);
}

/// For one pass round all ranks; pipelined, so it grows more slowly than the ring, and never less than within
/// one node.
double ring_fill_us(const GpuGroup& group, const Constants& constants) {
  const double alone = constants.of(Constant::ramp_nvlink2, group.fabric->fabric_class) *
                       constants[Constant::ramp_half_step] *
                       std::sqrt((group.gpus_in_node - 1) / usual_peers);
  return std::max(alone, constants[Constant::across_ramp_ring] * std::sqrt(group.num_gpus / 2));
}

bool walks_a_ring(Collective collective) {
  return collective == Collective::all_gather || collective == Collective::reduce_scatter ||
         collective == Collective::broadcast || collective == Collective::reduce;
}

/// Each step of a ring over EFA waits for a whole chunk between nodes, from small messages on.
Ramp over_efa(Ramp ramp, const GpuGroup& group, Collective collective, const Constants& constants) {
  if (ring_passes(collective) == 2) {
    ramp.fill_us += constants[Constant::efa_doubling] * doublings(group.nodes / 2);
  } else if (walks_a_ring(collective)) {
    ramp.fill_us += constants[Constant::efa_ring_step] * (group.num_gpus - 1);
    ramp.fill_half = efa_ring_half;
  }
  return ramp;
}

Ramp ramp_across_nodes(const GpuGroup& group, Collective collective, const Constants& constants) {
  Ramp ramp;
  const bool tree = ring_passes(collective) == 2;
  const double fill = tree ? tree_fill_us(group, constants) : ring_fill_us(group, constants);
  ramp.fill_us = fill * constants.of(Constant::net_ramp_infiniband, group.network);
  ramp.fill_half = ramp_power(constants[Constant::across_ramp_half_share] * ramp.fill_us);
  if (group.network == NetworkKind::efa) return over_efa(ramp, group, collective, constants);
  if (group.network == NetworkKind::slingshot) {
    const double levels = doublings(group.nodes);
    ramp.eager_us = constants[Constant::slingshot_eager] * levels;
    ramp.rendezvous_us = constants[Constant::slingshot_rendezvous] * levels;
  }
  return ramp;
}

}  // namespace

Ramp ramp_of(const GpuGroup& group, Collective collective, const Constants& constants) {
  return group.spans_nodes() ? ramp_across_nodes(group, collective, constants)
                             : ramp_in_node(group, collective, constants);
}

}  // namespace commcost
