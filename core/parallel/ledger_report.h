#pragma once

#include <cstdint>
#include <vector>

#include "core/parallel/ledger.h"
#include "core/parallel/pipeline.h"

namespace commcost {

/// The bandwidths by which a ledger's bytes become textbook times: no latency, no overlap.
struct LinkSpeeds {
  std::int64_t gpus_per_node = 8;     ///< GPUs that the fast links join
  double bandwidth_gb_per_sec = 300;  ///< of those links, one way, per GPU
  double nic_gb_per_sec = 25;         ///< of the network between nodes, one way, per GPU
  double hbm_gb_per_sec = 2039;       ///< of a GPU's memory, for what changing the data type costs
};

/// One transfer as a row of the report.
struct LedgerRow {
  Dimension dimension;
  StepPhase phase;
  Part part;
  Payload payload;
  Collective collective;
  double group_size;
  double message_size_bytes;
  double calls;
  double sent_bytes_per_gpu;
  double network_bytes_per_gpu;  ///< of those, what crosses nodes
  double time_us;                ///< within nodes and between, one after the other
  bool critical_path;            ///< whether nothing hides it
  HiddenBy hidden_by;
  Stages stages;
  double quantized_bytes_per_gpu;
  double quantizing_time_us;
};

/// What a GPU of the busiest stage sends under one heading.
template <class Heading>
struct LedgerSum {
  Heading heading;
  double calls = 0;
  double sent_bytes_per_gpu = 0;
  double network_bytes_per_gpu = 0;
  double time_us = 0;
  double critical_time_us = 0;
  double share = 0;  ///< of the bytes sent, 0 to 1
};

/// Messages of at least `at_least_bytes` (a power of two) and less than twice that.
struct MessageSizeBin {
  double at_least_bytes;
  double calls;
  double sent_bytes_per_gpu;
};

/// A ledger with its sums: those of a GPU of the stage that sends most.
struct LedgerReport {
  std::vector<LedgerRow> rows;
  std::vector<LedgerSum<Dimension>> by_dimension;
  std::vector<LedgerSum<Collective>> by_collective;
  std::vector<MessageSizeBin> message_sizes;
  double sent_bytes_per_gpu = 0;
  double network_bytes_per_gpu = 0;
  double time_us = 0;           ///< nothing hidden
  double critical_time_us = 0;  ///< all hidden that can be
  double quantizing_time_us = 0;
  double num_gpus = 0;
  double micro_batches = 0;
  double layers_per_stage = 0;
  double parameters = 0;
  double parameters_per_gpu = 0;
  double bubble_of_ideal = 0;
  double bubble_of_total = 0;
};

/// The ledger of a completed setting without problems, priced by `speeds` and summed.
LedgerReport ledger_report(const Setting& setting, const LinkSpeeds& speeds);

}  // namespace commcost
