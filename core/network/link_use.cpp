#include "core/network/link_use.h"

#include <algorithm>

#include "core/base/units.h"
#include "core/collective/bus_bandwidth.h"
#include "core/network/line_rate.h"

namespace commcost {

LinkUse link_use(const GpuGroup& group, Collective collective, Algorithm algorithm, double size) {
  LinkUse use;
  const double g = group.gpus_in_node;
  const double n = group.num_gpus;
  const bool across = group.spans_nodes();
  double over_links = 0;
  double over_network = 0;
  switch (collective) {
    case Collective::all_to_all:
    case Collective::gather:
    case Collective::scatter:
      over_links = (g - 1) / n;
      over_network = (n - g) / n;
      break;
    case Collective::send_receive:
      over_links = across ? 0 : 1;
      over_network = across ? 1 : 0;
      break;
    default:
      over_links = algorithm == Algorithm::in_network ? 1 + 1 / g : ring_sent_bytes(collective, n, 1);
      // The rings of a node share what leaves it; between two nodes a tree sends the message once each way.
      over_network = std::min(ring_sent_bytes(collective, group.nodes, 1), group.nodes > 2 ? 2.0 : 1.0) / g;
      break;
  }
  if (g > 1) {
    const double rate = collective == Collective::send_receive ? peer_rate(group) : line_rate(group, g);
    use.link_us = transfer_us(over_links * size, rate);
  }
  if (across) use.network_us = transfer_us(over_network * size, group.nic_gb_per_sec);
  return use;
}

}  // namespace commcost
