#include "core/collective/cost.h"

#include "core/collective/bus_bandwidth.h"
#include "core/collective/lower_bound.h"
#include "core/collective/pieces.h"

namespace commcost {

Outcome<CollectiveCost> collective_cost(const CollectiveCostInputs& inputs) {
  const Outcome<PlacedMethod> placed = placed_method_for(inputs);
  const Outcome<HockneyMachine> checked_machine = machine_for(inputs);
  if (!placed || !checked_machine) return problems_of(placed, checked_machine);
  const Method& method = *placed->method;
  const HockneyMachine& machine = *checked_machine;
  const double message = inputs.message_size_bytes;
  const Group group = with_pieces(method, placed->group, message, machine);

  const Counts counts = counts_of(method, group);
  const HockneyTime time = hockney(counts, message, machine);
  CollectiveCost cost;
  cost.rounds = counts.path.rounds;
  cost.sent_bytes_per_rank = message * counts.sent / counts.parts;
  cost.reduced_bytes_per_rank = message * counts.reduced / counts.parts;
  cost.time_us = time.total_us();
  cost.latency_time_us = time.latency_us;
  cost.transfer_time_us = time.transfer_us;
  cost.reduce_time_us = time.reduce_us;
  if (counts.sent > 0 && cost.time_us > 0) {
    // Bytes per microsecond are MB/s.
    cost.algorithm_bandwidth_gb_per_sec = message / cost.time_us * 1e-3;
    cost.bus_bandwidth_gb_per_sec =
        cost.algorithm_bandwidth_gb_per_sec * bus_bandwidth_factor(inputs.collective, inputs.ranks);
  }
  cost.lower_bound_us = lower_bound_us(method, inputs.ranks, message, machine);
  cost.group_size = group.group_size;
  cost.pieces = group.pieces;
  cost.form = method.form;
  cost.source = method.source;
  cost.published_form = method.published;
  return cost;
}

}  // namespace commcost
