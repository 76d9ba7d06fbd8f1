#include "core/network/spine.h"

#include <algorithm>

namespace commcost {
namespace {

bool sends_to_all(Collective collective) {
  return collective == Collective::all_to_all || collective == Collective::gather ||
         collective == Collective::scatter;
}

}  // namespace

double border_share(double ranks_in_pod, double oversubscription) {
  return std::min(1.0, std::max(1.0, ranks_in_pod) / oversubscription);
}

double spine_share(const GpuGroup& group, Collective collective) {
  const double ratio = group.oversubscription;
  const double inside = group.ranks_in_pod;
  if (ratio <= 1 || inside <= 0 || !group.spans_nodes()) return 1;
  if (inside >= group.num_gpus) return 1;
  if (collective == Collective::send_receive) return border_share(inside, ratio);
  if (sends_to_all(collective)) {
    const double leaving =
        (group.num_gpus - inside) / (group.num_gpus - std::min(group.gpus_in_node, inside));
    return std::min(1.0, 1 / (leaving * ratio));
  }
  const double nodes_in_pod = std::max(1.0, inside / group.gpus_in_node);
  return std::min(1.0, nodes_in_pod / ratio);
}

GpuGroup through_spine(const GpuGroup& group, Collective collective) {
  GpuGroup shared = group;
  shared.nic_gb_per_sec *= spine_share(group, collective);
  return shared;
}

}  // namespace commcost
