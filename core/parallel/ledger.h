#pragma once

#include <vector>

#include "core/parallel/communications.h"

namespace commcost {

/// One message in bytes.
struct MessageBytes {
  double message = 0;    ///< as nccl-tests counts it: the whole tensor of a reduction or gathering
  double sent = 0;       ///< by each GPU, round a ring
  double converted = 0;  ///< memory read and written to change the data type; 0: not changed, or for nothing
};
MessageBytes bytes_of(const Communication& message, const Setting& setting);

/// One kind of message with what a GPU sends in an iteration.
struct LedgerEntry {
  Communication message;
  double message_size_bytes;
  double calls;
  double sent_bytes_per_gpu;
  double quantized_bytes_per_gpu;
};

/// What every parallelism of a completed setting without problems sends in an iteration, on a stage with
/// `stage`'s layers; with what only stages at other places send.
std::vector<LedgerEntry> ledger_of(const Setting& setting, const Stage& stage);

/// The same with the layers of the stage that has most.
std::vector<LedgerEntry> ledger_of(const Setting& setting);

/// Share of a message's bytes that crosses nodes, mean over the group's GPUs, when rings run within nodes
/// first: the rest, at `gpus_per_node` GPUs each, stays on the links within. Both together are what a flat
/// ring sends.
double network_share(const Communication& message, double gpus_per_node);

}  // namespace commcost
