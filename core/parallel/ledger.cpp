#include "core/parallel/ledger.h"

#include <algorithm>

#include "core/parallel/call.h"

namespace commcost {

Ledger ledger_of(const Setting& setting) {
  LedgerWriter writer(setting);
  add_tensor(writer);
  add_vocabulary(writer);
  add_data(writer);
  add_pipeline(writer);
  add_context(writer);
  add_expert(writer);
  return writer.ledger;
}

double network_bytes_per_gpu(const Transfer& transfer, double gpus_per_node) {
  const double here = std::clamp(gpus_per_node / transfer.group_stride, 1.0, transfer.group_size);
  if (here >= transfer.group_size) return 0;
  const double elsewhere = (transfer.group_size - here) / (transfer.group_size - 1);
  // Every rank writes to every other.
  if (transfer.collective == Collective::all_to_all) return transfer.sent_bytes_per_gpu * elsewhere;
  // Round a ring, one rank in g has its neighbour on another node.
  if (transfer.dimension == Dimension::context && transfer.collective == Collective::send_receive) {
    return transfer.sent_bytes_per_gpu / here;
  }
  // Reductions and gatherings: of (n - 1)/n in all, (g - 1)/g stays within a node. A line of stages: of n - 1
  // boundaries, n/g - 1 lie between nodes. Both come to the same share.
  return transfer.sent_bytes_per_gpu * elsewhere / here;
}

}  // namespace commcost
