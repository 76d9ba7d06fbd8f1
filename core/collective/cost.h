#pragma once

#include <string_view>

#include "core/base/outcome.h"
#include "core/collective/call.h"

namespace commcost {

/// What collective_cost takes: the call, the algorithm, the message and the machine.
struct CollectiveCostInputs : MethodInputs, HockneyInputs {
  double message_size_bytes = 1;  ///< 1 to 2^53 - 1; the vector, all blocks together, or one rank's buffer
};

/// What a collective costs by its closed form.
struct CollectiveCost {
  double rounds = 0;                          ///< rounds of latency
  double sent_bytes_per_rank = 0;             ///< by the rank that sends most
  double reduced_bytes_per_rank = 0;          ///< by the rank that adds most
  double time_us = 0;                         ///< Hockney's model, µs
  double latency_time_us = 0;                 ///< of that, latency
  double transfer_time_us = 0;                ///< of that, bytes moved
  double reduce_time_us = 0;                  ///< of that, bytes added
  double algorithm_bandwidth_gb_per_sec = 0;  ///< message over time, as nccl-tests; 0 where nothing is sent
  double bus_bandwidth_gb_per_sec = 0;        ///< that times the bus-bandwidth factor
  double lower_bound_us = 0;                  ///< least time of any algorithm of its kind, µs
  int group_size = 1;                         ///< ranks of an inner group, as used
  int pieces = 1;                             ///< of the pipeline, as used
  std::string_view form;                      ///< the closed form in words
  std::string_view source;                    ///< where it comes from
  std::string_view published_form;  ///< the source's own form, where the schedule counts differently
};

/// The closed form of the algorithm, put into Hockney's model. At one rank all is 0.
Outcome<CollectiveCost> collective_cost(const CollectiveCostInputs& inputs);

}  // namespace commcost
