#include "core/network/spine.h"

#include <algorithm>

namespace commcost {
namespace {

bool sends_to_all(Collective collective) {
  return collective == Collective::all_to_all || collective == Collective::gather ||
         collective == Collective::scatter;
}

}  // namespace

double line_share(double ranks_below, double oversubscription) {
  return std::min(1.0, std::max(1.0, ranks_below) / oversubscription);
}

double border_share(const GpuGroup& group, std::size_t border, Collective collective) {
  const double ratio = group.borders[border].oversubscription;
  const double inside = group.ranks_below[border];
  if (ratio <= 1 || inside <= 0 || !group.spans_nodes()) return 1;
  if (inside >= group.num_gpus) return 1;
  if (collective == Collective::send_receive) return line_share(inside, ratio);
  if (sends_to_all(collective)) {
    const double leaving =
        (group.num_gpus - inside) / (group.num_gpus - std::min(group.gpus_in_node, inside));
    return std::min(1.0, 1 / (leaving * ratio));
  }
  const double nodes_below = std::max(1.0, inside / group.gpus_in_node);
  return std::min(1.0, nodes_below / ratio);
}

double spine_share(const GpuGroup& group, Collective collective) {
  double share = 1;
  for (std::size_t border = 0; border < group.borders.size(); ++border)
    share = std::min(share, border_share(group, border, collective));
  return share;
}

GpuGroup through_spine(const GpuGroup& group, Collective collective) {
  GpuGroup shared = group;
  shared.nic_gb_per_sec *= spine_share(group, collective);
  return shared;
}

}  // namespace commcost
