#pragma once

#include <vector>

#include "core/parallel/communications.h"

namespace commcost {

/// One message in bytes.
struct MessageBytes {
  double message = 0;    ///< as nccl-tests counts it: the whole tensor of a reduction or gathering
  double converted = 0;  ///< memory read and written to change the data type; 0: not changed, or for nothing
};
MessageBytes bytes_of(const Communication& message, const Setting& setting);

/// Bytes that each GPU sends, the mean over the group's GPUs.
struct SentBytes {
  double scale_up = 0;  ///< within its scale-up domain
  double network = 0;   ///< to other domains

  double total() const { return scale_up + network; }
};

/// What a message of `message_bytes` makes a GPU send in domains of `gpus_per_domain`: round a ring, or as
/// the kernel that exchanges tokens does.
SentBytes sent_bytes(const Communication& message, const Setting& setting, double message_bytes,
                     double gpus_per_domain);

/// How the model's tokens find their experts.
Routing routing_of(const ModelShape& shape);

/// One kind of message with what a GPU sends in an iteration.
struct LedgerEntry {
  Communication message;
  double message_size_bytes;
  double calls;
  SentBytes sent;  ///< in all calls
  double quantized_bytes_per_gpu;
};

/// What every parallelism of a completed setting without problems sends in an iteration, on a stage with
/// `stage`'s layers; with what only stages at other places send.
std::vector<LedgerEntry> ledger_of(const Setting& setting, const Stage& stage, double gpus_per_domain);

/// Of the stages of such a setting, the first of those that send most bytes; the rest as in ledger_of().
Stage busiest_stage(const Setting& setting, double gpus_per_domain);

/// Share of a message's bytes that crosses nodes, mean over the group's GPUs, when rings run within nodes
/// first: the rest, at `gpus_per_node` GPUs each, stays on the links within. Both together are what a flat
/// ring sends. Not of an exchange of tokens, which is no ring.
double network_share(const Communication& message, double gpus_per_node);

}  // namespace commcost
