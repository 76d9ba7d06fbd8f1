#include "core/network/bound.h"

#include <algorithm>

#include "core/network/line_rate.h"

namespace commcost {

double bound_bytes_per_us(const GpuGroup& group, Collective collective) {
  const double n = group.num_gpus;
  const double g = group.gpus_in_node;
  const double nodes = group.nodes;
  const double line = g > 1 ? std::max(line_rate(group, g), peer_rate(group)) : unlimited_gb_per_sec;
  const double nic = group.spans_nodes() ? group.nic_gb_per_sec : unlimited_gb_per_sec;
  // Shares of the message that must pass a GPU's links, and its node's NICs or its own.
  double over_links = 1;
  double over_nics = 1;
  double nics = g;
  switch (collective) {
    case Collective::all_reduce:
    case Collective::barrier:
      over_links = group.in_network ? 1 : 2 * (g - 1) / g;
      over_nics = 2 * (nodes - 1) / nodes;
      break;
    case Collective::all_gather:
    case Collective::reduce_scatter:
      over_links = (g - 1) / g;
      over_nics = (nodes - 1) / nodes;
      break;
    case Collective::gather:
    case Collective::scatter:
      over_links = (g - 1) / n;
      over_nics = (n - g) / n;
      break;
    case Collective::all_to_all:
      over_links = (g - 1) / n;
      over_nics = (n - g) / n;
      nics = 1;
      break;
    case Collective::send_receive:
      nics = 1;
      if (group.spans_nodes()) over_links = 0;
      break;
    case Collective::broadcast:
    case Collective::reduce:
      break;
  }
  const double us_per_kb = std::max(over_links / line, over_nics / (nics * nic));
  return 1e3 / us_per_kb;
}

}  // namespace commcost
